/* SPDX-License-Identifier: MIT */
/* Synthetic input: there is no speech here, and the documents' grammars and utterances are not printed.
 * The grammar is our own, a small language of commands to a machine of nodes, with made-up names, whose
 * number makes it simpler or more complex. An utterance is a sentence drawn from any grammar, "spoken"
 * with noise. */
#ifndef PARLEY_HARPY_SYNTHETIC_H
#define PARLEY_HARPY_SYNTHETIC_H

#include "grammar.h"
#include "match.h"

/* The grammar's text, with so many made-up names; the same seed gives the same. To be given back by
 * free(). */
char *synthetic_grammar(long names, unsigned long seed);

enum { most_words = 200 };

struct utterance {
    long count;
    int words[most_words]; /* of the grammar */
};

/* Draws a sentence, and makes the match table of its phonemes: each takes one to three segments, whose own
 * phoneme fits best without noise. `noise`: in percent of how far phonemes are apart. */
void synthetic_speech(struct match *match, struct utterance *utterance, const struct grammar *grammar,
                      unsigned long seed, long noise);

#endif
