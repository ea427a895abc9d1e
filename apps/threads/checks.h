/* SPDX-License-Identifier: MIT */
/* The frame of the checks of threads: a check is a sentence and a function, which answers whether it holds.
 * Each node runs all of them, for a program's threads are its own. */
#ifndef PARLEY_THREADS_CHECKS_H
#define PARLEY_THREADS_CHECKS_H

#include <pthread.h>

enum { team = 6 }; /* threads beside the first: more than there are processors in most runs */

struct check {
    const char *sentence;
    int (*holds)(void);
};

struct check_list {
    const struct check *checks;
    int count;
};

extern const struct check_list making_checks, waiting_checks, sharing_checks;

/* Runs work(argument + i) in `team` threads, i from 0 on, and waits for all. Answers the sum of what they
 * answer, -1: a thread could not be made or waited for. */
long in_team(void *(*work)(void *), char *argument);

#endif
