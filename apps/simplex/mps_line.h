/* SPDX-License-Identifier: MIT */
/* One line of an MPS file in words. Free format: words between blanks. Fixed format: six fields at fixed
 * columns, in which names may contain blanks; fields that are empty are empty words. */
#ifndef PARLEY_SIMPLEX_MPS_LINE_H
#define PARLEY_SIMPLEX_MPS_LINE_H

enum mps_format { mps_automatic, mps_fixed, mps_free };

enum { mps_most_words = 6, mps_longest_word = 255 };

enum mps_section {
    section_none,
    section_name,
    section_sense,
    section_rows,
    section_columns,
    section_right_sides,
    section_ranges,
    section_bounds,
    section_end,
    section_unknown
};

struct mps_line {
    const char *text; /* without the end of line */
    long length;
    int is_header; /* starts in the first column */
    int is_empty;  /* or a comment */
    char words[mps_most_words][mps_longest_word + 1];
    int word_count;
};

/* The next line of the text, not yet in words; returns where the one after it starts. */
const char *mps_next_line(struct mps_line *line, const char *text, const char *end);

/* Null, or what is wrong with it. */
const char *mps_split(struct mps_line *line, enum mps_format format);

/* The section that a header starts; its words are free in both formats. */
enum mps_section mps_section_of(const struct mps_line *line);

/* 1 and the value when the whole word is a finite number. */
int mps_number(const char *word, double *value);

/* Fixed when every line fits the fixed columns, else free. */
enum mps_format mps_detect(const char *text, long length);

#endif
