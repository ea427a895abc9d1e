/* SPDX-License-Identifier: MIT */
/* The price of telling all: node 0 sends one message to -1, every other node receives it and answers with an
 * empty message. Times are those of node 0: of the csend alone, and of csend and all answers. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/buffers.h"
#include "../support/one_process.h"
#include "../support/own_table.h"

enum { sample_count = 15, type_told = 1, type_answer = 2, default_repeats = 20 };

static const long sizes[] = {0, 100, 1024, 4096, 16384, 65536, 262144};
enum { size_count = sizeof sizes / sizeof *sizes, largest = 262144 };

static void *buffer;

/* One broadcast, in cycles: of csend, and of everything. */
static void tell(long bytes, double cycles[2])
{
    unsigned long start = nx_cycles();
    csend(type_told, buffer, bytes, -1, 0);
    cycles[0] += (double)(nx_cycles() - start);
    for (long node = 1; node < numnodes(); node++)
        crecv(type_answer, 0, 0);
    cycles[1] += (double)(nx_cycles() - start);
}

static void hear(long bytes)
{
    crecv(type_told, buffer, bytes);
    csend(type_answer, 0, 0, 0, 0);
}

static int in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, long bytes, double *samples)
{
    nx_report(name, bytes, "none", "us", samples, sample_count);
    qsort(samples, sample_count, sizeof *samples, in_order);
    table_printf(" %12.2f", samples[sample_count / 2]);
}

/* The first samples find everything cold and are left out. */
static void measure(long bytes, long repeats)
{
    double told[sample_count], answered[sample_count];
    for (int sample = -2; sample < sample_count; sample++) {
        double cycles[2] = {0, 0};
        for (long i = 0; i < repeats; i++)
            mynode() == 0 ? tell(bytes, cycles) : hear(bytes);
        double each = 1e6 / (double)nx_cycles_per_second() / (double)repeats;
        if (sample < 0)
            continue;
        told[sample] = cycles[0] * each;
        answered[sample] = cycles[1] * each;
    }
    if (mynode() != 0)
        return;
    table_printf("%8ld", bytes);
    report("csend to all", bytes, told);
    report("told and answered", bytes, answered);
    table_printf("\n");
}

int main(int count, char **arguments)
{
    long repeats = count == 3 && !strcmp(arguments[1], "--repeats") ? atol(arguments[2]) : default_repeats;
    if ((count != 1 && count != 3) || repeats <= 0) {
        if (mynode() == 0)
            fputs("broadcast: one message to all others, and their answers\n"
                  "  --repeats N   broadcasts a sample (default 20)\n",
                  stderr);
        return 1;
    }
    if (nx_hands_over()) {
        if (mynode() == 0)
            fputs("broadcast: needs csend and crecv that leave buffers where they are\n", stderr);
        return 1;
    }
    buffer = buffers_take(buffers_are_shared(buffers_automatic), largest, 64);
    memset(buffer, 1, largest);
    if (mynode() == 0)
        table_printf("   bytes    csend, us  answered, us\n");
    for (int i = 0; i < size_count; i++)
        measure(sizes[i], repeats);
    return 0;
}
