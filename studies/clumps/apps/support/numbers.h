/* SPDX-License-Identifier: MIT */
/* Arguments that are all "--name NUMBER". */
#ifndef PARLEY_CLUMPS_NUMBERS_H
#define PARLEY_CLUMPS_NUMBERS_H

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    const char *name;
    long *value;
    long least, most;
    const char *meaning;
};

static inline int read_number(const struct number *number, const char *word)
{
    char *end = 0;
    const long value = word ? strtol(word, &end, 10) : 0;
    if (!word || *end || value < number->least || value > number->most)
        return 0;
    *number->value = value;
    return 1;
}

/* Ends the program with a sentence of node 0 and status 2 at a word that is none of these. */
static inline void read_numbers(const char *program, const struct number *numbers, int many, int argc,
                                char **argv)
{
    for (int at = 1; at < argc; at += 2) {
        const struct number *found = 0;
        for (int i = 0; i < many && !found; i++)
            if (!strcmp(argv[at], numbers[i].name))
                found = &numbers[i];
        if (found && read_number(found, argv[at + 1]))
            continue;
        if (mynode() == 0 && found)
            fprintf(stderr, "%s: %s: a whole number from %ld to %ld is wanted.\n", program, found->name,
                    found->least, found->most);
        else if (mynode() == 0) {
            fprintf(stderr, "%s: %s: it takes these, each with a number:\n", program, argv[at]);
            for (int i = 0; i < many; i++)
                fprintf(stderr, "  %-14s %s (%ld)\n", numbers[i].name, numbers[i].meaning, *numbers[i].value);
        }
        exit(2);
    }
}

#endif
