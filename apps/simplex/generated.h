/* SPDX-License-Identifier: MIT */
/* Made-up problems, all in the first quarter of space: feasible and bounded. The same size and seed give the
 * same problem, as a problem or as its text in MPS format. */
#ifndef PARLEY_SIMPLEX_GENERATED_H
#define PARLEY_SIMPLEX_GENERATED_H

#include "problem.h"

#include <stdio.h>

struct generated {
    long rows, columns, seed;
};

/* The problem must have been made and be empty. */
void generated_problem(const struct generated *generated, struct problem *problem);

void generated_write(const struct generated *generated, FILE *out);

#endif
