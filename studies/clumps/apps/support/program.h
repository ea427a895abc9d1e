/* SPDX-License-Identifier: MIT */
/* What programs that compute together need beside messages: memory, time, and one sum of all results. */
#ifndef PARLEY_CLUMPS_PROGRAM_H
#define PARLEY_CLUMPS_PROGRAM_H

#include <nx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Memory of zeroes for `count` things of `each` bytes; without it the program ends with a sentence. */
static inline void *new_memory(const char *program, long count, size_t each)
{
    void *memory = calloc(count ? (size_t)count : 1, each);
    if (!memory) {
        fprintf(stderr, "%s: there is no memory for %ld times %zu bytes.\n", program, count, each);
        exit(1);
    }
    return memory;
}

/* Microseconds since nx_cycles() was `since`. */
static inline double us_since(unsigned long since)
{
    return (double)(nx_cycles() - since) * 1e6 / nx_cycles_per_second();
}

/* The sums of all nodes in one; all nodes call this. */
static inline uint64_t sum_of_nodes(uint64_t mine)
{
    long sum = (long)mine, work;
    gixor(&sum, 1, &work);
    return (uint64_t)sum;
}

#endif
