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

/* As the paper's loop (its figure 8): eight words a turn, and nothing is done with them. */
void contents_read(const void *buffer, long bytes)
{
    const volatile unsigned *word = buffer, *end = word + bytes / word_bytes;
    for (; end - word >= 8; word += 8) {
        (void)word[0], (void)word[1], (void)word[2], (void)word[3];
        (void)word[4], (void)word[5], (void)word[6], (void)word[7];
    }
    for (; word < end; word++)
        (void)*word;
    const volatile char *rest = (const volatile char *)word;
    for (long i = 0; i < bytes % word_bytes; i++)
        (void)rest[i];
}
