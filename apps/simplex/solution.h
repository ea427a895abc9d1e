/* SPDX-License-Identifier: MIT */
/* The solution in the problem's own terms. */
#ifndef PARLEY_SIMPLEX_SOLUTION_H
#define PARLEY_SIMPLEX_SOLUTION_H

#include "standard.h"

struct solution {
    double *columns;
    double *activities; /* of all rows */
    double objective;
    double violation; /* the largest of a row or bound, relative to the limit */
};

/* `values`: of the standard form's columns. */
void solution_make(struct solution *solution, const struct problem *problem, const struct standard *standard,
                   const double *values);
void solution_free(struct solution *solution);

#endif
