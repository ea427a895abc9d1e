/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>
#include <string.h>

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "simplex: no memory for the problem\n");
        exit(1);
    }
    return memory;
}

void *need_memory(size_t bytes)
{
    return must_have(calloc(1, bytes ? bytes : 1));
}

void *grown(void *array, long *room, long index, size_t element)
{
    if (index < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    return must_have(realloc(array, (size_t)*room * element));
}

void names_free(struct names *names)
{
    for (long i = 0; i < names->count; i++)
        free(names->all[i]);
    free(names->all);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* FNV-1a */
static unsigned long hashed(const char *name)
{
    unsigned long hash = 0xcbf29ce484222325ul;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3ul;
    return hash;
}

/* Where the name is, or the free slot where it would be; there always is a free one. */
static long slot_of(const struct names *names, const char *name)
{
    long slot = (long)(hashed(name) & (unsigned long)(names->slot_count - 1));
    while (names->slots[slot] && strcmp(names->all[names->slots[slot] - 1], name))
        slot = (slot + 1) & (names->slot_count - 1);
    return slot;
}

long names_find(const struct names *names, const char *name)
{
    return names->slot_count ? names->slots[slot_of(names, name)] - 1 : -1;
}

static void enlarge(struct names *names)
{
    names->slot_count = names->slot_count ? 2 * names->slot_count : 256;
    free(names->slots);
    names->slots = need_memory((size_t)names->slot_count * sizeof *names->slots);
    for (long i = 0; i < names->count; i++)
        names->slots[slot_of(names, names->all[i])] = i + 1;
}

long names_add(struct names *names, const char *name)
{
    if (2 * (names->count + 1) > names->slot_count)
        enlarge(names);
    names->all = grown(names->all, &names->room, names->count, sizeof *names->all);
    names->all[names->count] = must_have(strdup(name));
    names->slots[slot_of(names, name)] = names->count + 1;
    return names->count++;
}
