/* SPDX-License-Identifier: MIT */
/* A text, word by word and line by line. # begins a comment; ( ) [ ] | = are words of their own where they
 * are asked for. */
#ifndef PARLEY_HARPY_WORDS_H
#define PARLEY_HARPY_WORDS_H

#include "names.h"

struct words {
    const char *file; /* for complaints */
    const char *at;   /* what comes next of the line */
    const char *next; /* the next line */
    long line;        /* counted from 1 */
    char word[longest_name + 1];
    char complaint[240];
};

void words_begin(struct words *words, const char *text, const char *file);

/* The next line that has a word; 0 at the end of the text. */
int words_next_line(struct words *words);

/* The next word of the line, in words->word; 0 at its end, -1 for one that is too long. */
int words_next(struct words *words, const char *signs);

/* "file:line: ...", which lasts as long as the words. */
__attribute__((format(printf, 2, 3))) const char *words_complain(struct words *words, const char *format,
                                                                 ...);

#endif
