/* SPDX-License-Identifier: MIT */
/* A task's grammar and lexicon: words, each with a graph of phonemes, and a finite state graph of points and
 * arcs, of which any way from `begin` to `end` is a sentence.
 *
 *   word help = hh eh (l | el) p [hh]     phonemes in a row; ( | ) alternatives; [ ] may be left out
 *   class number = one two three          may stand for any of its words in arcs
 *   begin START
 *   arc START help WHOM                   a word, or a class, leads from a point to a point
 *   arc WHOM - STOP                       - says nothing
 *   end STOP                              # begins a comment
 *
 * Words come before the classes, and both before the arcs, that they are in. */
#ifndef PARLEY_HARPY_GRAMMAR_H
#define PARLEY_HARPY_GRAMMAR_H

#include "names.h"

enum { most_positions = 64, no_word = -1 };

/* A word's graph of phonemes, as Glushkov's automaton: a position for each phoneme that is written, and sets
 * of positions, a bit each. */
struct pronunciation {
    int count;
    int phoneme[most_positions];
    unsigned long first, last, follow[most_positions];
    int may_be_empty;
};

struct word_arc {
    int from, word, to; /* points; word: or no_word */
    long line;          /* where it is written */
};

struct grammar {
    struct names phonemes, words, points;
    struct pronunciation *pronunciations; /* of each word */
    struct word_arc *arcs;
    long arc_count;
    int begin, end;
};

/* Null, or what is wrong with the text, "file:line: ...", which lasts until the next call. What a grammar
 * that was read holds is given back by grammar_free. */
const char *grammar_read(struct grammar *grammar, const char *text, const char *file);
void grammar_free(struct grammar *grammar);

/* Whether an arc can be passed without a phoneme. */
int grammar_is_empty(const struct grammar *grammar, const struct word_arc *arc);

#endif
