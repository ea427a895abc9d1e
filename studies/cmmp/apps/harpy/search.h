/* SPDX-License-Identifier: MIT */
/* HARPY's beam search by a task force, with the five ways to share the forward step. Every way, on every
 * number of processes, finds what the serial search finds.
 *
 *   V1  each process has a part of the candidates, of equal count; their pairs are checked at once
 *   V2  processes take candidates from a pool; their pairs are checked at once
 *   V3  candidates from a pool give pairs on a stack; after a barrier, processes take pairs
 *   V4  the same without the barrier: who finds no candidate takes pairs
 *   V5  the same with a stack for each process, from which others steal when their own is empty
 *
 * Pruning is the same in all: processes take the states that were reached from a pool. */
#ifndef PARLEY_HARPY_SEARCH_H
#define PARLEY_HARPY_SEARCH_H

#include "force.h"
#include "result.h"
#include "stack.h"

enum variant {
    variant_serial,
    variant_static,
    variant_dynamic,
    variant_split,
    variant_asynchronous,
    variant_stealing,
    variants
};

/* What a step took, in cycles. */
struct step_times {
    unsigned long wall[most_segments];   /* from the end of the barrier before to the last one's arrival */
    unsigned long spread[most_segments]; /* from the first one's arrival to the last one's */
};

/* Written by one process, read by others after a barrier. */
struct member {
    unsigned long busy_forward[most_segments], busy_pruning[most_segments]; /* cycles */
    unsigned long arrived; /* at the last barrier of a step */
    long pairs, updates;   /* of the segment; of all */
} __attribute__((aligned(64)));

/* All of it, and what it points to, lies in memory that all processes see at the same address. */
struct search {
    /* Read only while processes work. `bytes` are the block's. */
    long states, arcs, phonemes, segments, bytes;
    const int *phoneme, *ends, *first_arc, *from, *to; /* of the network */
    int *match;
    long beam, work;
    enum variant variant;
    /* The segment that is searched; changed by the last at a barrier. */
    long segment;
    unsigned long began; /* cycles: the step */
    struct pool candidates, reached;
    int *path;                          /* of a candidate: its score */
    unsigned long *best;                /* of a state: score and father, 0: not reached yet */
    unsigned long best_score;           /* of the segment, as in `best` */
    int *back;                          /* of each segment's candidates: the father */
    unsigned *below;                    /* the stacks' links, of each arc */
    struct stack pairs[most_processes]; /* a pair is an arc */
    struct force force;
    struct member members[most_processes];
    struct step_times forward, pruning;
    struct workload workloads[most_segments];
};

/* Times of units of work, for who asks for them: a process's own. */
enum unit { unit_expand, unit_update, unit_no_update, unit_save, unit_discard, units };
enum { most_unit_times = 4000 };
struct unit_times {
    long count[units];
    double cycles[units][most_unit_times];
};

struct worker {
    struct search *search;
    const struct surroundings *around;
    long process;             /* from 0 */
    struct unit_times *times; /* or null */
    unsigned long began;      /* of this process's part */
    unsigned long busy;       /* in this step */
};

/* For utterances of so many segments at most. One block, from `take`, which gives memory that all
 * processes see, with any content, or null; null then. */
struct search *search_make(const struct network *network, long phonemes, long segments, long processes,
                           void *(*take)(long bytes));

/* By each process before it works, while nobody else does: all of the block's pages are mapped for it then.
 * What maps them as they are touched, with the price of a fault and a cleared page, would otherwise do so in
 * a step, for each segment writes to a part of the block that nobody has touched. */
void search_touch(const struct search *search);

/* Before processes work on an utterance, by one of them. `work`: turns of a loop that make each unit
 * longer, of a CHECKSTATE; the other units' are in the documents' proportions. */
void search_begin(struct search *search, const struct match *match, enum variant variant, long beam,
                  long work);

/* By all processes: the search of one utterance, in one of the parallel ways. */
void search_work(struct worker *worker);

/* When all have come back. */
void search_result(const struct search *search, struct result *result);

#endif
