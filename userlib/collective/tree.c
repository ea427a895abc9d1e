/* SPDX-License-Identifier: MIT */
#include "userlib/collective/tree.h"

#include "userlib/collective/carrier.h"
#include "userlib/nx/this_process.h"

enum { everybody = -1, root = 0 };

void nx_gather_up(enum parley_library_call call, const struct nx_combiner *combiner, void *x, void *work)
{
    int node = nx_process.node;
    for (int distance = 1; distance < nx_process.nodes; distance *= 2) {
        if (node & distance) {
            nx_carry(call, node - distance, x, combiner->bytes);
            return;
        }
        if (node + distance < nx_process.nodes) {
            nx_fetch(call, node + distance, work, combiner->bytes);
            combiner->combine(combiner, x, work);
        }
    }
}

void nx_send_down(enum parley_library_call call, void *data, long bytes)
{
    if (nx_process.nodes == 1)
        return;
    if (nx_process.node == root)
        nx_carry(call, everybody, data, bytes);
    else
        nx_fetch(call, root, data, bytes);
}
