/* SPDX-License-Identifier: MIT */
/* What a search finds: the best way through the network, a state for each segment, and its words. */
#ifndef PARLEY_HARPY_RESULT_H
#define PARLEY_HARPY_RESULT_H

#include "match.h"
#include "network.h"

#include <stdio.h>

/* Units of work of a segment. */
struct workload {
    long candidates; /* expanded: CHECKNEXT */
    long pairs;      /* of father and son: CHECKSTATE */
    long reached;    /* states, pruned or saved: SAVESTATES */
};

struct result {
    int found; /* 0: no sentence ends within the beam */
    long score;
    long segments;
    int states[most_segments];
};

enum { sentence_room = 4096 };

/* The words on the way, with blanks between; cut off where the room ends. */
void result_sentence(const struct result *result, const struct network *network,
                     const struct grammar *grammar, char sentence[sentence_room]);

int result_equal(const struct result *one, const struct result *other);

/* A number for the way and its score, below 2^53: other answers have others, but for luck. */
double result_checksum(const struct result *result);

/* What a serial search tells beside its result; any part may be null. */
struct serial_record {
    unsigned long (*cycles)(void);
    unsigned long forward, pruning; /* cycles, added up */
    FILE *work;                     /* every unit of work, in words that studies/cmmp/tools/harpy.py reads */
    struct workload *workloads;     /* of each segment */
};

/* Beam search by one process, written for itself: what all others must find. A state is given up when its
 * score is not above the best of its segment less `beam`. Of equal scores the lowest father wins, and at the
 * end the lowest state. */
void serial_search(const struct network *network, const struct match *match, long beam, struct result *result,
                   struct serial_record *record);

#endif
