/* SPDX-License-Identifier: MIT */
/* Cache lines that two nodes share under every design: node 0's memory, whose address the other gets in a
 * block. */
#ifndef PARLEY_BENCHMARK_SHARED_LINES_H
#define PARLEY_BENCHMARK_SHARED_LINES_H

#include <nx.h>
#include <stdlib.h>
#include <string.h>

enum { shared_lines_alignment = 128, shared_lines_type = 1 };

/* By nodes 0 and 1 at once; so many bytes, zero. Ends the program where there is no memory. */
static inline void* shared_lines(long bytes)
{
    void** block = nx_alloc(sizeof *block);
    if (!block)
        exit(1);
    if (mynode() == 0) {
        void* const lines = nx_alloc_aligned(bytes, shared_lines_alignment);
        if (!lines)
            exit(1);
        *block = memset(lines, 0, (size_t)bytes);
        csend(shared_lines_type, block, sizeof *block, 1, 0);
        return lines;
    }
    crecvp(shared_lines_type, (void**)&block, sizeof *block);
    return *block;
}

#endif
