/* SPDX-License-Identifier: MIT */
/* A node's part of the points, and the transform of all parts together.
 *
 * The part is held as two halves, a buffer each. In a network stage a node and its partner have the
 * points of the same butterflies: each sends the other one half, computes half of the butterflies, and
 * sends the partner's results back. So a node sends two messages of 8 * points / nodes bytes a stage and
 * no butterfly is computed twice. Buffers change roles instead of being copied: the one that was sent is
 * the next to receive into. Where blocks change owner, the partner works in the very half that was sent to
 * it.
 *
 * In a cache that is mapped directly it matters where buffers lie. Apart, each at a multiple of the
 * alignment, those of a node meet. Together, one after another from such a multiple on, those of a node do
 * not, and those at the same place of several nodes do. */
#ifndef PARLEY_FFT_DATA_SET_H
#define PARLEY_FFT_DATA_SET_H

#include "../support/buffers.h"
#include "../support/traffic.h"
#include "butterfly.h"
#include "signal.h"

enum layout { layout_apart, layout_together };

struct data_set {
    long points;         /* of all nodes together */
    long half;           /* points of one half of this node's part */
    struct point *lower; /* the first half, then the second */
    struct point *upper;
    struct point *spare; /* what the next message is received into; null where blocks change owner */
    int shared;
    struct point *region; /* what private halves that lie together are part of, else null */
    struct point *turns;  /* `half` for the local stages, then `half` for each network stage */
    struct traffic traffic;
};

/* `alignment` is in bytes. Ends the program when there is no memory. */
void data_set_make(struct data_set *set, long points, int shared, enum layout layout, long alignment);
void data_set_free(struct data_set *set);

void data_set_fill(struct data_set *set, enum signal_kind kind);

/* Position i of this node's part. */
struct point data_set_at(const struct data_set *set, long i);

/* The part becomes this node's part of the spectrum. Every node calls it. */
void data_set_transform(struct data_set *set);

#endif
