/* SPDX-License-Identifier: MIT */
/* The price of touching a buffer (the paper's figures 8 and 9): reads, writes and copies buffers of growing
 * size with unrolled loops over words of 4 or 8 bytes. One node is enough; with more, each measures for
 * itself and node 0 reports. */
#include "../support/one_process.h"
#include "../support/own_table.h"
#include "loops.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sample_count = 15, smallest = 64, largest_allowed = 1 << 24 };

static const double sample_ns = 1e6;

static const char help[] = "buffer: measures reading, writing and copying memory\n"
                           "  --word 4|8        bytes of a word (default 4)\n"
                           "  --maximum BYTES   largest buffer (default 65536)\n";

struct request {
    long word;
    long maximum;
};

struct buffers {
    void *from;
    void *to;
    long bytes;
};

static int parse(struct request *request, int count, char **arguments)
{
    *request = (struct request){.word = 4, .maximum = 65536};
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count)
            return 0;
        long value = atol(arguments[i + 1]);
        if (!strcmp(arguments[i], "--word") && (value == 4 || value == 8))
            request->word = value;
        else if (!strcmp(arguments[i], "--maximum") && value >= smallest && value <= largest_allowed)
            request->maximum = value;
        else
            return 0;
    }
    return 1;
}

static double time_of(const struct loop *loop, const struct buffers *buffers, long times)
{
    unsigned long start = nx_cycles();
    for (long i = 0; i < times; i++)
        loop->run(buffers->to, buffers->from, buffers->bytes);
    return (double)(nx_cycles() - start) * 1e9 / nx_cycles_per_second();
}

static void measure(const struct loop *loop, const struct buffers *buffers)
{
    double samples[sample_count];
    long times = 1;
    while (time_of(loop, buffers, times) < sample_ns)
        times *= 2;
    for (int i = 0; i < sample_count; i++)
        samples[i] = time_of(loop, buffers, times) / (double)times;
    if (mynode() != 0)
        return;
    nx_report(loop->name, buffers->bytes, loop->access, "ns", samples, sample_count);
    table_printf(" %11.1f", samples[sample_count / 2]);
}

static void *touched(long bytes)
{
    void *memory = malloc((size_t)bytes);
    if (!memory) {
        fprintf(stderr, "buffer: no memory for %ld bytes\n", bytes);
        exit(1);
    }
    return memset(memory, 1, (size_t)bytes);
}

int main(int count, char **arguments)
{
    struct request request;
    if (!parse(&request, count, arguments)) {
        if (mynode() == 0)
            fputs(help, stderr);
        return 2;
    }
    const struct loop *loops = loops_of_word(request.word);
    struct buffers buffers = {touched(request.maximum), touched(request.maximum), 0};
    if (mynode() == 0)
        table_printf("buffer: words of %ld bytes, times in ns\n%8s %11s %11s %11s\n", request.word, "bytes",
                     "read", "write", "copy");
    for (buffers.bytes = smallest; buffers.bytes <= request.maximum; buffers.bytes *= 2) {
        if (mynode() == 0)
            table_printf("%8ld", buffers.bytes);
        for (int i = 0; i < loop_count; i++)
            measure(&loops[i], &buffers);
        if (mynode() == 0)
            table_printf("\n");
    }
    return 0;
}
