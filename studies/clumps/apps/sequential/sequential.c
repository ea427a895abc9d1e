/* SPDX-License-Identifier: MIT */
/* Processes that compute and send nothing, beside which parallel jobs are measured (Lumetta's thesis, section
 * 5.3.4): each increments random words of an array as large as a second-level cache, until its time is over.
 * What it has counted is checked against the array's sum. */
#include "studies/clumps/apps/support/common_start.h"
#include "studies/clumps/apps/support/mixed.h"
#include "studies/clumps/apps/support/numbers.h"
#include "studies/clumps/apps/support/program.h"
#include "studies/clumps/apps/support/starting_line.h"

static long kilobytes = 512, milliseconds = 1000;
static const struct number numbers[] = {
    {"--kilobytes", &kilobytes, 1, 1 << 20, "of a process's array"},
    {"--milliseconds", &milliseconds, 1, 3600000, "that it computes"},
    STARTING_LINE_ARGUMENT,
    COMMON_START_ARGUMENT,
};

/* How many increments it has come to. */
static uint64_t increment(uint64_t *word, uint64_t count)
{
    enum { between_looks = 4096 };
    const unsigned long since = nx_cycles();
    uint64_t done = 0, x = mixed((uint64_t)mynode());
    do {
        for (int i = 0; i < between_looks; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            word[x % count]++;
        }
        done += between_looks;
    } while (us_since(since) < 1e3 * (double)milliseconds);
    return done;
}

int main(int argc, char **argv)
{
    read_numbers("sequential", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    const uint64_t count = (uint64_t)kilobytes * 1024 / sizeof(uint64_t);
    uint64_t *word = new_memory("sequential", (long)count, sizeof *word), sum = 0;
    starting_line("sequential");
    await_common_start("sequential");
    const uint64_t done = increment(word, count);
    note_common_end();
    for (uint64_t i = 0; i < count; i++)
        sum += word[i];
    if (sum != done)
        fprintf(stderr, "sequential: node %ld: %llu increments, and the words have %llu\n", mynode(),
                (unsigned long long)done, (unsigned long long)sum);
    long wrong = sum != done, work;
    gisum(&wrong, 1, &work);
    tell_common_start("sequential");
    if (mynode() == 0 && !wrong)
        printf("sequential: %ld processes, all words right\n", numnodes());
    return wrong != 0;
}
