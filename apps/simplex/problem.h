/* SPDX-License-Identifier: MIT */
/* A linear problem as it is written down: rows with a relation, columns with bounds, entries by column. */
#ifndef PARLEY_SIMPLEX_PROBLEM_H
#define PARLEY_SIMPLEX_PROBLEM_H

#include "names.h"

struct row {
    char relation; /* N, L, G or E */
    double right_side;
    double range;
    int has_range;
};

struct column {
    double lower, upper; /* may be infinite */
    long first_entry;    /* they go on to the next column's first */
};

struct entry {
    long row;
    double value;
};

struct problem {
    struct names row_names, column_names; /* numbered as rows and columns are */
    struct row *rows;
    struct column *columns;
    struct entry *entries;
    long entry_count, row_room, column_room, entry_room;
    long objective; /* the row that is minimised or maximised; -1: none */
    int maximise;
    int has_integers; /* columns that are marked as integer are treated as continuous */
};

void problem_make(struct problem *problem);
void problem_free(struct problem *problem);

/* Return the new one's number, or -1 when the name is taken. */
long problem_add_row(struct problem *problem, const char *name, char relation);
long problem_add_column(struct problem *problem, const char *name);

/* Adds to the last column. */
void problem_add_entry(struct problem *problem, long row, double value);

long problem_last_entry(const struct problem *problem, long column); /* one past it */

/* What the row's activity must lie between. */
void problem_limits(const struct row *row, double *lower, double *upper);

#endif
