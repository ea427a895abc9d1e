/* SPDX-License-Identifier: MIT */
#include "userlib/collective/tree.h"

#include "interface/limits.h"
#include "userlib/collective/carrier.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <stdio.h>
#include <string.h>

/* Both send before they receive, so what they exchange must find memory in any case. */
enum { everybody = -1, root = 0, most_exchanged = 1024 };

/* Takes from that node as many bytes as this one brings, or ends the program. */
static void fetch(enum parley_library_call call, long node, void *data, long bytes)
{
    char sentence[96];
    const long length = nx_fetch(call, node, data, bytes);
    if (length == bytes)
        return;
    snprintf(sentence, sizeof sentence, "node %ld brings %ld bytes" NX_AS_MANY, node, length);
    nx_end_call(nx_library_call_name(call), sentence, "%ld bytes", bytes);
}

void nx_gather_up(enum parley_library_call call, const struct nx_combiner *combiner, void *x, void *work)
{
    int node = nx_process.node;
    for (int distance = 1; distance < nx_process.nodes; distance *= 2) {
        if (node & distance) {
            nx_carry(call, node - distance, x, combiner->bytes);
            return;
        }
        if (node + distance < nx_process.nodes) {
            fetch(call, node + distance, work, combiner->bytes);
            combiner->combine(combiner, x, work);
        }
    }
}

/* Where a send lasts until its receiver has the buffer, or the message, both would wait for each other. */
static int can_exchange(long bytes)
{
    return nx_process.nodes == 2 && nx_process.passing == nx_passes_copies &&
           !(nx_process.capabilities & NX_SENDS_AWAIT_DELIVERY) && bytes <= most_exchanged;
}

/* What is sent to a program that has not begun is lost. Programs are loaded from node 0 upwards, so node 0
 * listens first, until it has once heard of the other. */
static void exchange(enum parley_library_call call, const struct nx_combiner *combiner, void *x, void *work)
{
    const int other = 1 - nx_process.node;
    const int listens_first = nx_process.node < other && !nx_process.has_combined;
    if (!listens_first)
        nx_carry(call, other, x, combiner->bytes);
    fetch(call, other, work, combiner->bytes);
    if (listens_first)
        nx_carry(call, other, x, combiner->bytes);
    nx_process.has_combined = 1;
    if (nx_process.node < other) {
        combiner->combine(combiner, x, work);
        return;
    }
    combiner->combine(combiner, work, x);
    if (combiner->bytes > 0)
        memcpy(x, work, (size_t)combiner->bytes);
}

/* Each message that somebody waits for is a turn of all who share a processor. Where all meet, each has one
 * turn: in it, it leaves one meeting and comes to the next. */
static int messages_cost_turns(void)
{
    return nx_process.has_few_processors && nx_process.nodes > 2;
}

/* Nodes of several machines meet however many processors there are, because that takes fewer messages. */
int nx_can_meet(long bytes)
{
    return (messages_cost_turns() || nx_process.machines_meet) && bytes <= PARLEY_MEETING_BYTES &&
           bytes * nx_process.nodes <= nx_most_met;
}

/* Everybody combines what all have brought, in the order in which nx_gather_up() does. */
static void combine_met(enum parley_library_call call, const struct nx_combiner *combiner, void *x)
{
    _Alignas(64) char all[nx_most_met];
    const long bytes = combiner->bytes;
    const int nodes = nx_process.nodes;
    const long brought = nx_meet_with(call, x, bytes, all, bytes * nodes);
    if (brought != bytes * nodes)
        nx_end_call(nx_library_call_name(call),
                    brought < 0 ? "another node brings more bytes" NX_AS_MANY
                                : "another node brings fewer bytes" NX_AS_MANY,
                    "%ld bytes", bytes);
    for (int distance = 1; distance < nodes; distance *= 2)
        for (int node = 0; node + distance < nodes; node += 2 * distance)
            combiner->combine(combiner, all + node * bytes, all + (node + distance) * bytes);
    if (bytes > 0)
        memcpy(x, all, (size_t)bytes);
}

void nx_combine_everywhere(enum parley_library_call call, const struct nx_combiner *combiner, void *x,
                           void *work)
{
    if (can_exchange(combiner->bytes))
        return exchange(call, combiner, x, work);
    if (nx_can_meet(combiner->bytes))
        return combine_met(call, combiner, x);
    nx_gather_up(call, combiner, x, work);
    nx_send_down(call, x, combiner->bytes);
}

static void combine_nothing(const struct nx_combiner *self, void *x, void *other)
{
    (void)self;
    (void)x;
    (void)other;
}

void nx_meet(enum parley_library_call call)
{
    static const struct nx_combiner nothing = {.combine = combine_nothing, .bytes = 0};
    nx_combine_everywhere(call, &nothing, 0, 0);
}

void nx_send_down(enum parley_library_call call, void *data, long bytes)
{
    if (nx_process.nodes == 1)
        return;
    if (nx_process.node == root)
        nx_carry(call, everybody, data, bytes);
    else
        fetch(call, root, data, bytes);
}
