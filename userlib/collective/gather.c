/* SPDX-License-Identifier: MIT */
/* gcol and gcolx: every node's part, one after the other, on every node. Node 0 puts the whole together, or
 * all do who meet (tree.h). */
#include "interface/limits.h"
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

/* What a node of gcol brings to a meeting: how long its part is, and the part, unless it is too long. */
struct brought {
    long bytes;
    char part[PARLEY_MEETING_BYTES - sizeof(long)];
};

/* How long a part may be that a node brings: the same on all nodes, which do not know each other's. */
static long most_brought(void)
{
    const long share = nx_most_met / nx_process.nodes;
    const long most = share < (long)sizeof(struct brought) ? share : (long)sizeof(struct brought);
    return most - (long)sizeof(long);
}

/* Walks along what `come` bytes of a meeting have of node after node. Returns how long the whole is, or -1
 * where a part was too long to be brought. The parts go to y if that is not null. */
static long put_together(const char *all, long come, char *y)
{
    long whole = 0;
    for (long at = 0, length; at < come; at += (long)sizeof length + length) {
        memcpy(&length, all + at, sizeof length);
        if (length > most_brought())
            return -1;
        if (y && length > 0)
            memcpy(y + whole, all + at + sizeof length, (size_t)length);
        whole += length;
    }
    return whole;
}

/* Every node's parts where nodes meet. Returns as put_together() does. */
static long gather_met(const void *x, long bytes, void *y, long room)
{
    _Alignas(64) char all[nx_most_met];
    struct brought own = {.bytes = bytes};
    const long brought = bytes <= most_brought() ? bytes : 0;
    if (brought > 0)
        memcpy(own.part, x, (size_t)brought);
    const long come =
        nx_meet_with(parley_library_call_gcol, &own, (long)sizeof own.bytes + brought, all, (long)sizeof all);
    const long whole = put_together(all, come, 0);
    if (whole > room)
        nx_fail("gcol", nx_error_message_too_long);
    return whole < 0 ? whole : put_together(all, come, y);
}

/* Every node's parts through node 0. Returns how long the whole is. */
static long gather_at_root(void *x, long bytes, void *y, long room)
{
    long whole = 0;
    if (nx_process.node == 0)
        whole = collect(parley_library_call_gcol, x, bytes, y, room);
    else
        nx_carry(parley_library_call_gcol, 0, x, bytes);
    nx_send_down(parley_library_call_gcol, &whole, sizeof whole);
    if (whole > room)
        nx_fail("gcol", nx_error_message_too_long);
    nx_send_down(parley_library_call_gcol, y, whole);
    return whole;
}

void gcol(void *x, long bytes, void *y, long y_bytes, long *count)
{
    if (!nx_is_length(bytes) || !nx_is_length(y_bytes))
        nx_fail("gcol", nx_error_bad_length);
    long whole = nx_can_meet(sizeof(long)) ? gather_met(x, bytes, y, y_bytes) : -1;
    if (whole < 0)
        whole = gather_at_root(x, bytes, y, y_bytes);
    if (count)
        *count = whole;
}

static _Noreturn void end_for_other_lengths(long whole)
{
    nx_end_call("gcolx", "the nodes bring other lengths than these", "%ld bytes in all", whole);
}

void gcolx(void *x, long lengths[], void *y)
{
    long whole = 0, longest = 0;
    for (int node = 0; node < nx_process.nodes; node++) {
        if (!nx_is_length(lengths[node]))
            nx_fail("gcolx", nx_error_bad_length);
        whole += lengths[node];
        longest = lengths[node] > longest ? lengths[node] : longest;
    }
    if (nx_can_meet(longest)) {
        if (nx_meet_with(parley_library_call_gcolx, x, lengths[nx_process.node], y, whole) != whole)
            end_for_other_lengths(whole);
        return;
    }
    if (nx_process.node == 0) {
        if (collect(parley_library_call_gcolx, x, lengths[0], y, whole) != whole)
            end_for_other_lengths(whole);
    } else
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
