/* SPDX-License-Identifier: MIT */
/* The task force: identical processes that evaluate, post, and wait for the last of them, who makes the
 * interval smaller and wakes the others one by one. What they share lies in one block; only the post is an
 * atomic step, all else is ordered by P and V. */
#ifndef PARLEY_ROOTFINDER_FORCE_H
#define PARLEY_ROOTFINDER_FORCE_H

#include "interval.h"
#include "lengths.h"

enum { most_stages = 54 * root_count }; /* of a run */

/* Written by one process, read by others. */
struct member {
    long double value;   /* F at its point */
    unsigned long woken; /* cycles: when the V for it was done */
} __attribute__((aligned(64)));

struct force {
    /* By the last poster only; read by all until they post. */
    struct interval interval;
    long root, stage; /* of the root; counted from 0 */
    int over;
    long stages; /* all so far */
    long stages_of_root[root_count];
    long double roots[root_count];
    unsigned long began; /* cycles: the stage that runs */
    double stage_ns[most_stages], find_ns[most_stages], v_ns[most_stages];
    unsigned posted __attribute__((aligned(64)));
    struct member members[most_processes];
};

/* What one process has seen, in nanoseconds. */
struct experience {
    long evaluations, waits, passes;
    double evaluation_ns[most_stages];
    double wake_ns[most_stages]; /* from the end of the V for it to the end of its P, where it had to wait */
    double p_ns[most_stages];    /* P that did not */
};

/* Before the others may begin. */
void force_begin(struct force *force);

/* The work of process 1, 2, ... of so many, until `roots` have been found. 0, or 1: F does not cross. */
int force_work(struct force *force, const struct lengths *lengths, const long *semaphores, long process,
               long processes, long roots, struct experience *experience);

#endif
