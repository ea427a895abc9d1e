/* SPDX-License-Identifier: MIT */
/* The pronunciation network that a grammar is compiled to, once for a task: a state for each phoneme of each
 * word of each arc, with its successors. State 0 has no phoneme; its successors begin a sentence. A phoneme
 * may last several segments, so every other state is its own successor. */
#ifndef PARLEY_HARPY_NETWORK_H
#define PARLEY_HARPY_NETWORK_H

#include "grammar.h"

struct network {
    long states, arcs;
    int *phoneme;     /* of a state, a number in the grammar's names; -1: state 0 */
    int *word;        /* the state is part of */
    int *ends;        /* whether a sentence may end with it */
    int *first_arc;   /* of a state; those up to the next state's are its own */
    int *from, *to;   /* of an arc: states */
    int *begins_word; /* whether the arc leads to the beginning of a word */
};

/* Null, or what is wrong. What was compiled is given back by network_free. */
const char *network_compile(struct network *network, const struct grammar *grammar);
void network_free(struct network *network);

/* The arc between two states, or -1. */
long network_arc(const struct network *network, long from, long to);

#endif
