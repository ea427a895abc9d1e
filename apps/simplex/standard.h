/* SPDX-License-Identifier: MIT */
/* The problem as the tableau wants it: minimise costs * y with matrix * y + slacks = right sides, all y,
 * slacks and right sides at least 0. Columns with one bound are shifted or mirrored, free ones split,
 * fixed ones put into the right sides; an upper bound beside a lower one, and the second limit of a row,
 * are further rows. Rows and columns are scaled by powers of two, which changes no digit. */
#ifndef PARLEY_SIMPLEX_STANDARD_H
#define PARLEY_SIMPLEX_STANDARD_H

#include "problem.h"

struct standard_row {
    double right_side;
    double scale;
    double sign;          /* -1: the row was turned around to have a right side of at least 0 */
    int has_slack;        /* not an equation */
    int needs_artificial; /* its slack cannot be basic at the start */
};

struct standard_column {
    long origin; /* the problem's column; -1: the slack of a row that was turned around */
    double scale;
    double sign; /* of the original in this one */
    double cost;
    long first_entry;
};

struct standard {
    long row_count, column_count, structural_count, entry_count;
    struct standard_row *rows;
    struct standard_column *columns; /* one more at the end, for its first_entry */
    struct entry *entries;
    double *offsets; /* for each of the problem's columns */
    int infeasible;  /* a column's bounds contradict each other */
    long row_room, column_room, entry_room;
};

void standard_make(struct standard *standard, const struct problem *problem);
void standard_free(struct standard *standard);

/* The solution in the problem's own terms. */
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
