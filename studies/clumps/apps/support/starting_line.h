/* SPDX-License-Identifier: MIT */
/* Jobs that are to begin together: each says that it is ready, and goes on when whoever started them all has
 * written a line to each. Arguments of a program that knows it include `--together 1'. */
#ifndef PARLEY_CLUMPS_STARTING_LINE_H
#define PARLEY_CLUMPS_STARTING_LINE_H

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static long starting_line_waits;

/* A row of the program's numbers. */
#define STARTING_LINE_ARGUMENT                 \
    {"--together", &starting_line_waits, 0, 1, \
     "1: it is ready, says so, and begins at a line of standard input"}

/* All nodes call this, and go on together. A job that nobody starts any more ends with a sentence. */
static inline void starting_line(const char *program)
{
    if (!starting_line_waits)
        return;
    gsync(); /* the others are ready, too */
    if (mynode() == 0) {
        printf("%s: ready\n", program);
        fflush(stdout);
        if (getchar() == EOF) {
            fprintf(stderr, "%s: with --together 1 a line of standard input is wanted.\n", program);
            exit(1);
        }
    }
    gsync();
}

#endif
