/* SPDX-License-Identifier: MIT */
/* Numbered names: the first is 0. Looked up by hashing. */
#ifndef PARLEY_HARPY_NAMES_H
#define PARLEY_HARPY_NAMES_H

enum { longest_name = 31 };

struct names {
    char (*all)[longest_name + 1];
    long count, room;
    int *slots; /* a hash table of numbers + 1 */
    long slot_count;
};

/* The name's number, or -1. */
long name_number(const struct names *names, const char *name);

/* Its number, new or not; at most longest_name characters are kept. */
long name_take(struct names *names, const char *name);

void name_free(struct names *names);

/* As realloc to so many bytes, or the program ends with a sentence. */
void *harpy_memory(void *old, unsigned long bytes);

#endif
