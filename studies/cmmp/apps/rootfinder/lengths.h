/* SPDX-License-Identifier: MIT */
/* How long an evaluation takes: as long as the function does, or as a distribution says. Lengths are steps of
 * the function's series. */
#ifndef PARLEY_ROOTFINDER_LENGTHS_H
#define PARLEY_ROOTFINDER_LENGTHS_H

enum length_kind { length_authentic, length_constant, length_normal, length_exponential, length_kinds };

struct lengths {
    enum length_kind kind;
    long mean;      /* steps; for authentic ones: how often each evaluation is made */
    long deviation; /* of normal ones, in percent of the mean */
    unsigned long seed;
};

const char *length_name(enum length_kind kind);

/* Of the evaluation that a process makes in a stage of a root: the same whenever and wherever it is asked
 * for. Not negative; not for authentic ones. */
long length_of(const struct lengths *lengths, long root, long stage, long process);

#endif
