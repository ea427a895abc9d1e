/* SPDX-License-Identifier: MIT */
/* The task force: identical processes that evaluate, post, and wait until the interval is smaller. How they
 * post and how the next stage begins is what carries the stage: semaphores, as in the documents, or messages
 * (carrier.h). */
#ifndef PARLEY_ROOTFINDER_FORCE_H
#define PARLEY_ROOTFINDER_FORCE_H

#include "interval.h"
#include "lengths.h"

enum { most_stages = 54 * root_count }; /* of a run */

/* Written by one process, read by others. */
struct member {
    long double value;   /* F at its point */
    unsigned long woken; /* cycles: when the V for it was done, or its message began to be sent */
} __attribute__((aligned(64)));

/* One for all, or, where messages carry the stage, each process's own. */
struct force {
    /* By who does FIND only; read by all until they post. */
    struct interval interval;
    long double level; /* of the root: worked out once, since it takes longer than a short evaluation */
    long root, stage;  /* of the root; counted from 0 */
    int over;
    long stages; /* all so far */
    long stages_of_root[root_count];
    long double roots[root_count];
    unsigned long began; /* cycles: the stage that runs */
    double stage_ns[most_stages], find_ns[most_stages], v_ns[most_stages];
    unsigned posted __attribute__((aligned(64)));
    struct member members[most_processes];
    void *notices[most_processes]; /* messages: this process's memory for those from and to each other */
};

/* What one process has seen, in nanoseconds. */
struct experience {
    long evaluations, waits, passes;
    double evaluation_ns[most_stages];
    double wake_ns[most_stages]; /* from the end of the V for it to the end of its P, where it had to wait */
    double p_ns[most_stages];    /* P that did not */
};

/* The same for all processes of a run. */
struct task {
    const struct lengths *lengths;
    long processes, roots;
    const struct carrier *carrier;
    const long *semaphores; /* each process's, where they carry the stage */
    int together;           /* all others are woken by one call */
    long every;             /* root_level's roots that are looked for: 0, this, twice this, ... */
    long fixed;             /* authentic lengths: steps of the series beside the function, always the same */
};

/* Before the others may begin. */
void force_begin(struct force *force);

/* The work of process 1, 2, ... until the roots have been found. 0, or 1: F does not cross. */
int force_work(struct force *force, const struct task *task, long process, struct experience *experience);

/* ---- for what carries the stage ---- */

/* All have posted: FIND, and the next stage is begun. In cycles, when it was done. */
unsigned long force_find(struct force *force, const struct task *task);
/* All others have been told, since then. */
void force_told(struct force *force, unsigned long found);
double force_nanoseconds(unsigned long cycles);

#endif
