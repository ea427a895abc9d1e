/* SPDX-License-Identifier: MIT */
/* How well each segment of an utterance fits each phoneme: log probabilities as whole numbers, so that sums
 * are exact in any order. A table's text:
 *
 *   phonemes aa ae hh ...
 *   segment -3 -412 -20 ...     one number, from -1000000 to 0, for each phoneme
 */
#ifndef PARLEY_HARPY_MATCH_H
#define PARLEY_HARPY_MATCH_H

#include "names.h"

enum { most_segments = 1024, least_match = -1000000 };

struct match {
    long segments, phonemes;
    int *values; /* of each segment: one for each phoneme of the network, by its number */
};

/* Null, or what is wrong with the text, "file:line: ...", which lasts until the next call. Every phoneme of
 * the network must have a column; other columns are passed over. */
const char *match_read(struct match *match, const char *text, const char *file, const struct names *phonemes);
void match_free(struct match *match);

#endif
