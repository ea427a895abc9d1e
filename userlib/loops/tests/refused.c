/* SPDX-License-Identifier: MIT
 * What OpenMP's rules forbid: threads would wait for ever, or something else be computed. The argument says
 * what the program does, which ends in a sentence. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long shared;

static void loop(void)
{
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 10; i++)
        __asm__ volatile("");
}
static void barrier(void)
{
#pragma omp barrier
}
static void region(void)
{
#pragma omp ordered
    shared++;
}
static void nothing(void) { }

static void in_ordered_region(void (*what)(void))
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(3)
    for (int i = 0; i < 30; i++) {
#pragma omp ordered
        what();
    }
}
static void in_iterations(void (*what)(void))
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(3)
    for (int i = 0; i < 30; i++)
        what();
}
static void twice(void)
{
    region();
    region();
}
/* No iteration before it says what this one waits for. */
static void in_nest(int after, int most)
{
#pragma omp parallel for ordered(1) schedule(dynamic, 1) num_threads(3)
    for (int i = 0; i < most; i++) {
#pragma omp ordered depend(sink : i - 1)
        if (i == after)
            shared += i;
        if (after < 0) {
#pragma omp ordered depend(source)
        }
    }
}
static void after_silent_one_of_its_own(void)
{
#pragma omp parallel for ordered(1) schedule(static) num_threads(3)
    for (int i = 0; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
        shared++;
    }
}
static void reduced_by_nobody(void)
{
#pragma omp task in_reduction(+ : shared)
    shared++;
}
static void team(void)
{
#pragma omp parallel num_threads(2)
    loop();
}
static void with_chunk(int chunk)
{
#pragma omp parallel for schedule(dynamic, chunk) num_threads(2)
    for (int i = 0; i < 10; i++)
        __asm__ volatile("");
}
static void to_the_end_of_its_type(long step)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (long i = LONG_MAX - 9; i < LONG_MAX - 1; i += step)
        __asm__ volatile("");
}

int main(int argc, char **argv)
{
    const char *const word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "loop") == 0)
        in_ordered_region(loop);
    if (strcmp(word, "barrier") == 0)
        in_ordered_region(barrier);
    if (strcmp(word, "twice") == 0)
        in_iterations(twice);
    if (strcmp(word, "chunk") == 0)
        with_chunk(0);
    if (strcmp(word, "beyond") == 0)
        to_the_end_of_its_type(5);
    if (strcmp(word, "depend") == 0)
        after_silent_one_of_its_own();
    if (strcmp(word, "reduction") == 0)
        reduced_by_nobody();
    if (strcmp(word, "end") == 0) {
        const long who = argc > 2 ? atol(argv[2]) : 0;
#pragma omp parallel num_threads(3)
        {
            long number = 0;
#pragma omp critical
            number = shared++;
            if (number == who)
                pthread_exit(NULL);
        }
    }
    if (strcmp(word, "none") == 0) {
        in_ordered_region(nothing);
        in_ordered_region(team);
        in_iterations(region);
        with_chunk(3);
        to_the_end_of_its_type(3);
        in_nest(5, 30);
        in_nest(-1, 30);
        printf("none of these\n");
    }
    return 0;
}
