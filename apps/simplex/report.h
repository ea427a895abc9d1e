/* SPDX-License-Identifier: MIT */
/* What node 0 shows and reports in the end. The calls are collective. */
#ifndef PARLEY_SIMPLEX_REPORT_H
#define PARLEY_SIMPLEX_REPORT_H

#include "solution.h"
#include "solve.h"

struct timing {
    long samples;
    double *times;         /* of each solution, on the slowest node, in ns */
    double *message_times; /* inside the message system, the mean of the nodes, in ns */
    double *shares;        /* that part of the node's own time, the mean of the nodes, in percent */
};

void timing_make(struct timing *timing, long samples);
void timing_free(struct timing *timing);

/* One solution's time on this node; then all nodes' are put together. */
void timing_note(struct timing *timing, long sample, double seconds, double seconds_inside);
void timing_combine(struct timing *timing);

void report_verdict(enum verdict verdict); /* by its number */
void report_messages(const struct solver *solver);
void report_timing(const struct timing *timing, const struct solver *solver);
void report_solution(const struct solution *solution, const struct problem *problem, int all);

#endif
