/* SPDX-License-Identifier: MIT
 * Where a program's threads are on a machine with clusters: a line for each that comes to a loop, with the
 * first processor that it may run on and how many these are, the window of a cluster's memory that its stack
 * lies in, and how many cycles it takes to read a word of its stack and of the program's memory. */
#define _GNU_SOURCE
#include <cedar.h>
#include <sched.h>
#include <stdio.h>
#include <x86intrin.h>

enum { reads = 64, most = 64 };
#define WINDOWS 0x320000000000UL
#define WINDOW_BYTES 0x2000000000UL

static volatile long in_program;
static char lines[most][128];
static int count, told;

static unsigned long long time_of(volatile long *word)
{
    const unsigned long long before = __rdtsc();
    for (int i = 0; i < reads; i++)
        (void)*word;
    return __rdtsc() - before;
}

/* There are as many iterations as threads. A thread that runs one waits in it for all other threads, so
 * each thread runs exactly one. */
static void look(long iteration, void *data)
{
    (void)iteration;
    volatile long own = 0;
    const unsigned long place = (unsigned long)&own;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    int first = 0;
    while (!CPU_ISSET(first, &set))
        first++;
    (void)time_of(&own); /* the first to read it brings it into the cluster's cache */
    snprintf(lines[__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED)], sizeof lines[0],
             "from processor %d: %d, window %ld, own %llu, program's %llu", first, CPU_COUNT(&set),
             place < WINDOWS ? -1 : (long)((place - WINDOWS) / WINDOW_BYTES), time_of(&own),
             time_of(&in_program));
    __atomic_fetch_add(&told, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&told, __ATOMIC_RELAXED) < *(const int *)data)
        sched_yield();
}

int main(void)
{
    cedar_begin();
    const int all = cedar_clusters() * cedar_processors();
    cedar_xdoall(1, all, look, (void *)&all);
    for (int i = 0; i < count; i++)
        puts(lines[i]);
    printf("%d clusters of %d\n", cedar_clusters(), cedar_processors());
    return 0;
}
