/* SPDX-License-Identifier: MIT */
/* The interval that holds the crossing, and how a stage makes it smaller: it is divided into equal parts, one
 * more than there are processes, and the part goes on whose ends have opposite signs. Not the best placement
 * of points, and no stage is cut short when the part is known: both are the algorithm's, on purpose. */
#ifndef PARLEY_ROOTFINDER_INTERVAL_H
#define PARLEY_ROOTFINDER_INTERVAL_H

enum { most_processes = 12, root_count = 50 };

/* Over the interval's length: 1e16, so the stages of 1 to 12 processes are 54, 34, 27, 23, 21, 19, 18, 17,
 * 16, 16, 15, 15. */
extern const long double interval_epsilon;

struct interval {
    long double low, high;
    long double at_low, at_high; /* F there */
};

/* The level of a root, counted from 0: root_count of them, from 1/3 down to 1e-9 in equal ratios. */
long double root_level(long root);

/* The whole interval, for that root. */
struct interval interval_for(long root);

/* Where process 1, 2, ... of so many evaluates F. */
long double interval_point(const struct interval *interval, long process, long processes);

/* FIND: `values` are F at the points, in order. The part with the change of sign, which the interval then is.
 * 0 where there is none: F does not cross here. */
int interval_find(struct interval *interval, const long double *values, long processes);

/* Whether no more stages are wanted. */
int interval_is_found(const struct interval *interval);

/* How many stages a root takes. */
long interval_stages(long processes);

#endif
