/* SPDX-License-Identifier: MIT */
/* The state of reading, and what happens to a line of each section. */
#ifndef PARLEY_SIMPLEX_MPS_READER_H
#define PARLEY_SIMPLEX_MPS_READER_H

#include "mps_line.h"
#include "problem.h"

enum { sets_right_sides, sets_ranges, sets_bounds, set_kinds };

struct mps_reader {
    struct problem *problem;
    struct mps_line line;
    enum mps_format format;
    enum mps_section section;
    long column;                                /* the one whose entries are read, -1: none yet */
    char sets[set_kinds][mps_longest_word + 1]; /* the names of the first sets */
    int has_set[set_kinds];
    char *given; /* for each row: its right side has been given */
    char complaint[2 * mps_longest_word + 200];
};

/* Each takes the reader's line; null, or what is wrong with it. */
const char *mps_sense_line(struct mps_reader *reader);
const char *mps_row_line(struct mps_reader *reader);
const char *mps_column_line(struct mps_reader *reader);
const char *mps_right_side_line(struct mps_reader *reader);
const char *mps_range_line(struct mps_reader *reader);
const char *mps_bound_line(struct mps_reader *reader);

/* The complaint, with the word in quotes after it. */
const char *mps_complain(struct mps_reader *reader, const char *sentence, const char *word);

/* Whether this set is the first of its kind, or has no name. */
int mps_is_first_set(struct mps_reader *reader, int kind, const char *name);

#endif
