/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *harpy_memory(void *old, unsigned long bytes)
{
    void *const memory = realloc(old, bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "harpy: there is no memory for %lu bytes: take a smaller network\n", bytes);
        exit(1);
    }
    return memory;
}

static unsigned long hash_of(const char *name)
{
    unsigned long hash = 14695981039346656037ul;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211ul;
    return hash;
}

/* Where the name is, or would be. */
static long slot_of(const struct names *names, const char *name)
{
    long slot = (long)(hash_of(name) % (unsigned long)names->slot_count);
    while (names->slots[slot] && strcmp(names->all[names->slots[slot] - 1], name) != 0)
        slot = (slot + 1) % names->slot_count;
    return slot;
}

long name_number(const struct names *names, const char *name)
{
    return names->slot_count ? names->slots[slot_of(names, name)] - 1 : -1;
}

static void grow(struct names *names)
{
    names->room = names->room ? 2 * names->room : 64;
    names->all = harpy_memory(names->all, (unsigned long)names->room * sizeof *names->all);
    names->slot_count = 2 * names->room;
    names->slots = harpy_memory(names->slots, (unsigned long)names->slot_count * sizeof *names->slots);
    memset(names->slots, 0, (unsigned long)names->slot_count * sizeof *names->slots);
    for (long i = 0; i < names->count; i++)
        names->slots[slot_of(names, names->all[i])] = (int)i + 1;
}

long name_take(struct names *names, const char *name)
{
    char kept[longest_name + 1];
    snprintf(kept, sizeof kept, "%s", name);
    if (names->count == names->room)
        grow(names);
    const long slot = slot_of(names, kept);
    if (!names->slots[slot]) {
        memcpy(names->all[names->count], kept, sizeof kept);
        names->slots[slot] = (int)++names->count;
    }
    return names->slots[slot] - 1;
}

void name_free(struct names *names)
{
    free(names->all);
    free(names->slots);
    *names = (struct names){0};
}
