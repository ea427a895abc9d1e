/* SPDX-License-Identifier: MIT */
#include "contents.h"

#include <string.h>

enum { word_bytes = sizeof(unsigned) };

/* Cheap, so that --access measures memory more than arithmetic, and different at every place. */
static unsigned pattern(unsigned seed, long place)
{
    return seed + (unsigned)place;
}

void contents_fill(void *buffer, long bytes, unsigned seed)
{
    unsigned *words = buffer;
    long count = bytes / word_bytes;
    for (long i = 0; i < count; i++)
        words[i] = pattern(seed, i);
    unsigned last = pattern(seed, count);
    if (bytes % word_bytes)
        memcpy(words + count, &last, (size_t)(bytes % word_bytes));
}

long contents_compare(const void *buffer, long bytes, unsigned seed)
{
    const unsigned *words = buffer;
    long count = bytes / word_bytes, wrong = 0;
    for (long i = 0; i < count; i++)
        wrong += words[i] != pattern(seed, i);
    unsigned last = pattern(seed, count);
    if (bytes % word_bytes)
        wrong += memcmp(words + count, &last, (size_t)(bytes % word_bytes)) != 0;
    return wrong;
}
