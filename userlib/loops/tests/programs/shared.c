/* SPDX-License-Identifier: MIT
 * Loops and sections whose threads share memory that the runtime has for them: scans, and conditional
 * lastprivates; prints what is the same with any runtime and any number of threads. */
#include <stdio.h>

enum { most = 1000, rounds = 12 };
static long given[most], inclusive[most], exclusive[most];

static long scanned(int count)
{
    long sum = 0, before = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < count; i++) {
        sum += given[i];
#pragma omp scan inclusive(sum)
        inclusive[i] = sum;
    }
#pragma omp parallel
    {
#pragma omp for reduction(inscan, + : before)
        for (int i = 0; i < count; i++) {
            exclusive[i] = before;
#pragma omp scan exclusive(before)
            before += given[i];
        }
    }
    long wrong = sum != before, wanted = 0;
    for (int i = 0; i < count; i++) {
        wrong += exclusive[i] != wanted;
        wanted += given[i];
        wrong += inclusive[i] != wanted;
    }
    return wrong + (sum != wanted);
}

/* Where gcc does not see the region, it asks for the memory with the loop. */
static long chosen, chosen_in_order, order;
static unsigned long long chosen_large;
__attribute__((noinline)) static void come_to_loops(int match)
{
#pragma omp for lastprivate(conditional : chosen) schedule(dynamic, 3) nowait
    for (long i = 0; i < most; i++)
        if (i == match)
            chosen = i;
#pragma omp for lastprivate(conditional : chosen_large) schedule(dynamic, 3) nowait
    for (unsigned long long i = 1ull << 63; i < (1ull << 63) + most; i++)
        if (i == (1ull << 63) + match)
            chosen_large = i;
#pragma omp for ordered lastprivate(conditional : chosen_in_order) schedule(static, 7)
    for (long i = 0; i < 70; i++) {
#pragma omp ordered
        order = (order * 3 + i) % 1000003;
        if (i == match)
            chosen_in_order = i;
    }
}

/* Every iteration is chosen, so the last one counts; the first takes long, so that others may help there. */
static void delay(long i)
{
    if (i == 0)
        for (volatile int spin = 0; spin < 100000; spin++)
            ;
}
static long in_their_order(void)
{
    long by_dynamic = -1, by_runtime = -1, by_guided = -1;
#pragma omp parallel
    {
#pragma omp for lastprivate(conditional : by_dynamic) schedule(dynamic, 2)
        for (long i = 0; i < most; i++) {
            delay(i);
            if (i < most - 20)
                by_dynamic = i;
        }
#pragma omp for lastprivate(conditional : by_runtime) schedule(runtime)
        for (long i = 0; i < most; i++) {
            delay(i);
            if (i < most - 20)
                by_runtime = i;
        }
#pragma omp for lastprivate(conditional : by_guided) schedule(guided)
        for (long i = 0; i < most; i++) {
            delay(i);
            if (i < most - 20)
                by_guided = i;
        }
    }
    return (by_dynamic != most - 21) + (by_runtime != most - 21) + (by_guided != most - 21);
}
static long kept;
__attribute__((noinline)) static void keep_last(void)
{
#pragma omp for lastprivate(conditional : kept) schedule(runtime)
    for (long i = 0; i < most; i++) {
        delay(i);
        if (i < most - 20)
            kept = i;
    }
}

int main(void)
{
    for (int i = 0; i < most; i++)
        given[i] = i * 7919L % 1009 - 500;
    long wrong = 0;
    for (int count = 1; count <= most; count *= 10)
        wrong += scanned(count);
    printf("scans: %ld wrong\n", wrong);

    /* Several at once, none waiting for the others, and more than a team has loops. */
    int last = 0, other = 0, far = -1;
    unsigned long long large = 0;
#pragma omp parallel num_threads(3)
    for (int round = 0; round < rounds; round++) {
#pragma omp for lastprivate(conditional : last, other) nowait
        for (int i = 0; i < most; i++) {
            if (i % 10 == 3)
                last = round * most + i;
            if (i < 5)
                other = i;
        }
#pragma omp for lastprivate(conditional : far) nowait schedule(static, 3)
        for (int i = most; i > 0; i--)
            if (given[i - 1] == given[17])
                far = i;
#pragma omp for lastprivate(conditional : large) nowait
        for (unsigned long long i = 1ull << 63; i < (1ull << 63) + most; i++)
            if (i % 256 == 5)
                large = i;
    }
    printf("last %d, %d, %d, %llu\n", last, other, far, large);

    int section = 0;
#pragma omp parallel
#pragma omp sections lastprivate(conditional : section)
    {
#pragma omp section
        section = 1;
#pragma omp section
        if (given[0] == -500)
            section = 2;
#pragma omp section
        if (given[0] == 500)
            section = 3;
    }
    printf("section %d\n", section);

    for (int round = 0; round < 3; round++) {
        const int match = round * 21;
#pragma omp parallel
        come_to_loops(match);
        wrong += chosen != match;
        wrong += chosen_large != (1ull << 63) + match;
        wrong += chosen_in_order != match;
    }
    for (int round = 0; round < 4; round++) {
        wrong += in_their_order();
#pragma omp parallel
        keep_last();
        wrong += kept != most - 21;
    }
    come_to_loops(17);
    printf("orphans: %ld wrong, %ld, %ld\n", wrong, chosen, order);
    return 0;
}
