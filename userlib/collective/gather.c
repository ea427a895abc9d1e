/* SPDX-License-Identifier: MIT */
/* gcol and gcolx: every node's part, one after the other, on every node. Node 0 puts the whole together. */
#include "userlib/collective/carrier.h"
#include "userlib/collective/tree.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <string.h>

/* Node 0's view: fetches all parts behind its own; returns the bytes of the whole. */
static long collect(enum parley_library_call call, const void *x, long bytes, char *y, long room)
{
    if (bytes > room)
        nx_fail(nx_library_call_name(call), nx_error_message_too_long);
    if (bytes > 0)
        memmove(y, x, (size_t)bytes);
    long filled = bytes;
    for (int node = 1; node < nx_process.nodes; node++) {
        long length = nx_fetch_length(call, node);
        if (length > room - filled)
            nx_fail(nx_library_call_name(call), nx_error_message_too_long);
        filled += nx_fetch(call, node, y + filled, length);
    }
    return filled;
}

void gcol(void *x, long bytes, void *y, long y_bytes, long *count)
{
    long whole = 0;
    if (!nx_is_length(bytes) || !nx_is_length(y_bytes))
        nx_fail("gcol", nx_error_bad_length);
    if (nx_process.node == 0)
        whole = collect(parley_library_call_gcol, x, bytes, y, y_bytes);
    else
        nx_carry(parley_library_call_gcol, 0, x, bytes);
    nx_send_down(parley_library_call_gcol, &whole, sizeof whole);
    if (whole > y_bytes)
        nx_fail("gcol", nx_error_message_too_long);
    nx_send_down(parley_library_call_gcol, y, whole);
    if (count)
        *count = whole;
}

void gcolx(void *x, long lengths[], void *y)
{
    long whole = 0;
    for (int node = 0; node < nx_process.nodes; node++) {
        if (!nx_is_length(lengths[node]))
            nx_fail("gcolx", nx_error_bad_length);
        whole += lengths[node];
    }
    if (nx_process.node == 0)
        collect(parley_library_call_gcolx, x, lengths[0], y, whole);
    else
        nx_carry(parley_library_call_gcolx, 0, x, lengths[nx_process.node]);
    nx_send_down(parley_library_call_gcolx, y, whole);
}

/* The twins return where lengths are refused; a part that does not fit shows only when it is there, on all
 * nodes at once, and ends them all. */
long _gcol(void *x, long bytes, void *y, long y_bytes, long *count)
{
    if (!nx_is_length(bytes) || !nx_is_length(y_bytes))
        return nx_set_errno(nx_error_bad_length);
    gcol(x, bytes, y, y_bytes, count);
    return 0;
}

long _gcolx(void *x, long lengths[], void *y)
{
    for (int node = 0; node < nx_process.nodes; node++)
        if (!nx_is_length(lengths[node]))
            return nx_set_errno(nx_error_bad_length);
    gcolx(x, lengths, y);
    return 0;
}
