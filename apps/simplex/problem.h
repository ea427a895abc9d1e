/* SPDX-License-Identifier: MIT */
/* A linear problem as it is written down: rows with a relation, columns with bounds, entries by column. */
#ifndef PARLEY_SIMPLEX_PROBLEM_H
#define PARLEY_SIMPLEX_PROBLEM_H

#include <stddef.h>
#include <stdlib.h>

/* Names with numbers in the order in which they were added, found by hashing. All zeros is an empty table. */
struct names {
    char **all;
    long count, room;
    long *slots; /* number + 1, or 0 */
    long slot_count;
};

void names_free(struct names *names);

/* -1: not there. */
long names_find(const struct names *names, const char *name);

/* The name must not be there yet. */
long names_add(struct names *names, const char *name);

/* The array with room for an element at `index`; ends the program when there is no memory. */
void *grown(void *array, long *room, long index, size_t element);

/* Zeroed memory, or the program ends. */
void *need_memory(size_t bytes);

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
