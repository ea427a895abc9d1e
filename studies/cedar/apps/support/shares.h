/* SPDX-License-Identifier: MIT */
/* A program's loops by messages: the nodes of a job compute shares of each loop's sections, one behind
 * another, and before a loop each gets by messages what it will read and others have computed. A node has the
 * whole vectors, but of a point the newest value is only where it was computed. */
#ifndef PARLEY_CEDAR_SHARES_H
#define PARLEY_CEDAR_SHARES_H

#include <nx.h>
#include <stdlib.h>
#include <string.h>

/* So many sections, each of `length` points from 0 on, over the first so many nodes. */
struct shares {
    long sections, length, nodes;
};

/* A piece of a vector: the node that has computed its points, which go from the end of the piece before to
 * `end`; or everyone, when all nodes have them. */
enum { everyone = -1 };
struct piece {
    long end, node;
};
struct owners {
    struct piece *pieces;
    long count;
};

/* Makes the owners of a vector of that many points, which all nodes have. `loops`: how many loops go over
 * it. Answers 0 when there is no memory. */
static int make_owners(struct owners *owners, long points, long loops)
{
    owners->pieces = malloc((size_t)(loops * numnodes() + 1) * sizeof *owners->pieces);
    if (owners->pieces == NULL)
        return 0;
    owners->pieces[0] = (struct piece){points, everyone};
    owners->count = 1;
    return 1;
}

static long first_section(const struct shares *shares, long node)
{
    return shares->sections * node / shares->nodes;
}

/* Each node has computed its share of them. */
static void take_over(struct owners *owners, const struct shares *shares)
{
    const long points = shares->sections * shares->length;
    long kept = 0;
    while (kept < owners->count && owners->pieces[kept].end <= points)
        kept++;
    memmove(owners->pieces + shares->nodes, owners->pieces + kept,
            (size_t)(owners->count - kept) * sizeof *owners->pieces);
    for (long node = 0; node < shares->nodes; node++)
        owners->pieces[node] = (struct piece){first_section(shares, node + 1) * shares->length, node};
    owners->count += shares->nodes - kept;
}

/* In a block of its own, as every design takes it; a type is its sender's. 0: there is no memory for it, as
 * with pass() and pass_all(). */
static int send_points(const double *points, long bytes, long reader)
{
    void *const block = nx_alloc(bytes);
    if (block == NULL)
        return 0;
    memcpy(block, points, (size_t)bytes);
    csend(mynode() + 1, block, bytes, reader, 0);
    nx_free(block);
    return 1;
}

static void receive_points(long owner, double *points, long bytes)
{
    void *block = NULL;
    crecvp(owner + 1, &block, bytes);
    memcpy(points, block, (size_t)bytes);
    nx_free(block);
}

/* What `reader` reads for its share, a point more at either end, of what `owner` has computed. */
static int pass(double *points, const struct owners *owners, const struct shares *shares, long owner,
                long reader)
{
    if (reader >= shares->nodes || first_section(shares, reader) == first_section(shares, reader + 1))
        return 1;
    const long first = first_section(shares, reader) * shares->length - 1;
    const long end = first_section(shares, reader + 1) * shares->length + 1;
    long at = 0;
    for (const struct piece *piece = owners->pieces; piece < owners->pieces + owners->count; piece++) {
        const long from = at > first ? at : first, to = piece->end < end ? piece->end : end;
        const long bytes = (to - from) * (long)sizeof *points;
        at = piece->end;
        if (piece->node != owner || from >= to)
            continue;
        if (mynode() != owner)
            receive_points(owner, points + from, bytes);
        else if (!send_points(points + from, bytes, reader))
            return 0;
    }
    return 1;
}

/* Pairs pass in an order that all nodes know, so that one may wait in its csend until the other receives. */
static int pass_all(double *points, const struct owners *owners, const struct shares *shares)
{
    const long nodes = numnodes(), self = mynode();
    for (long apart = 1; apart < nodes; apart++) {
        const long to = (self + apart) % nodes, from = (self - apart + nodes) % nodes;
        if (self < from && !pass(points, owners, shares, self, to))
            return 0;
        if (!pass(points, owners, shares, from, self))
            return 0;
        if (self > from && !pass(points, owners, shares, self, to))
            return 0;
    }
    return 1;
}

#endif
