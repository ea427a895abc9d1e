/* SPDX-License-Identifier: MIT */
/* All that a search is made from: grammar, network, and the match tables of the utterances. One process has
 * it. */
#ifndef PARLEY_HARPY_TASK_H
#define PARLEY_HARPY_TASK_H

#include "network.h"
#include "options.h"
#include "synthetic.h"

enum { most_utterances = 100 };

struct task {
    char *text; /* of the grammar */
    struct grammar grammar;
    struct network network;
    long utterances;
    struct match matches[most_utterances];
    struct utterance spoken[most_utterances]; /* no words where a table came from a file */
};

/* Null, or what is wrong, which lasts until the next call. */
const char *task_make(struct task *task, const struct harpy_options *options);
void task_free(struct task *task);

/* The longest utterance. */
long task_segments(const struct task *task);

/* To standard output, in the formats that are read. */
void task_write(const struct task *task, const struct harpy_options *options);

#endif
