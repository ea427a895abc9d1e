/* SPDX-License-Identifier: MIT */
/* The shape of collective calls: up a binomial tree to node 0, always combining in the same order, and down
 * again in one message to all. Equal runs therefore give equal results. Two nodes exchange what is short,
 * each combining for itself in that order: one message after the other becomes two at the same time. Where
 * nodes wait for each other's processor, or are on machines that meet, they meet, if that is enough for their
 * bytes: each then combines for itself, too. */
#ifndef PARLEY_NX_TREE_H
#define PARLEY_NX_TREE_H

#include "interface/library_messages.h"
#include "interface/limits.h"

/* Combines x of another node, which lies in `other`, into ours. */
struct nx_combiner {
    void (*combine)(const struct nx_combiner *self, void *x, void *other);
    long bytes;
};

/* The bytes that all nodes may bring to a meeting together: they lie on each one's stack. */
enum { nx_most_met = PARLEY_MEETINGS_BYTES };

/* Whether nodes meet, that each bring so many bytes. The answer is the same on all. */
int nx_can_meet(long bytes);

/* x of node 0 becomes the combination of every node's x; `work` has room for another node's. */
void nx_gather_up(enum parley_library_call call, const struct nx_combiner *combiner, void *x, void *work);

/* x of every node becomes that combination. */
void nx_combine_everywhere(enum parley_library_call call, const struct nx_combiner *combiner, void *x,
                           void *work);

/* Nobody goes on before everybody has come. */
void nx_meet(enum parley_library_call call);

/* Node 0's bytes reach every node. */
void nx_send_down(enum parley_library_call call, void *data, long bytes);

#endif
