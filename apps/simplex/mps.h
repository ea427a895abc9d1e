/* SPDX-License-Identifier: MIT */
/* Reads linear problems in MPS format: NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA. The
 * first N row is the objective, its right side is minus the objective's constant; of several right sides,
 * ranges and bounds the first set counts. Integer columns are read as continuous ones. */
#ifndef PARLEY_SIMPLEX_MPS_H
#define PARLEY_SIMPLEX_MPS_H

#include "problem.h"

enum mps_format { mps_automatic, mps_fixed, mps_free };

/* Null, or "name:12: sentence". The problem must have been made, and is to be freed in both cases. */
const char *mps_read(struct problem *problem, const char *name, const char *text, long length,
                     enum mps_format format);

#endif
