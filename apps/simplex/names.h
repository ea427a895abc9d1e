/* SPDX-License-Identifier: MIT */
/* Names with numbers in the order in which they were added, found by hashing. All zeros is an empty table. */
#ifndef PARLEY_SIMPLEX_NAMES_H
#define PARLEY_SIMPLEX_NAMES_H

#include <stddef.h>
#include <stdlib.h>

struct names {
    char **all;
    long count, room;
    long *slots; /* number + 1, or 0 */
    long slot_count;
};

void names_free(struct names *names);

/* -1: not there. */
long names_find(const struct names *names, const char *name);

/* The name must not be there yet. */
long names_add(struct names *names, const char *name);

/* The array with room for an element at `index`; ends the program when there is no memory. */
void *grown(void *array, long *room, long index, size_t element);

/* Zeroed memory, or the program ends. */
void *need_memory(size_t bytes);

#endif
