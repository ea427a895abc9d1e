/* SPDX-License-Identifier: MIT */
/* Damages what the message system of its job keeps in the shared region, as a program that has gone wild, or
 * that was ended in the middle of a change, may leave it. Then it waits for ever without the message system,
 * so that whoever watches the job looks at what is left. The arguments say what every word is then, and of
 * what. */
#include <nx.h>
#include <nx_semaphores.h>
#include <string.h>

#include "interface/library.h"
#include "interface/start_info.h"

enum { record_bytes = 4096, damaged_bytes = 1 << 18 };

static unsigned long word_at(const char *how, unsigned long address)
{
    if (!strcmp(how, "ones"))
        return ~0UL;
    if (!strcmp(how, "unlinked")) /* as a checked build's lists mark what is in none */
        return 1;
    if (!strcmp(how, "circle")) /* every object is the next of its own line */
        return address & ~63UL;
    return PARLEY_SHARED_BASE + (1UL << 40); /* beyond: no region is so long */
}

static void damage(const char *how, const char *what)
{
    const unsigned long records = PARLEY_SHARED_BASE + PARLEY_REGION_HEADER_BYTES;
    unsigned long at = !strcmp(what, "all") ? records : records + record_bytes;
    for (; at < records + damaged_bytes; at += 8)
        *(volatile unsigned long *)at = word_at(how, at);
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    const long never = nx_semaphore(7, 0);
    csend(5, words, 8, 0, 0);
    cprobe(5); /* it has come, and nobody takes it */
    damage(words[1], words[2]);
    P(never);
    return 0;
}
