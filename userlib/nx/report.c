/* SPDX-License-Identifier: MIT */
/* A measurement's way into the run's record. */
#include "interface/results.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/proxies.h"
#include "userlib/nx/statistics.h"

#include <nx.h>
#include <stdlib.h>
#include <string.h>

static void set_text(char *to, size_t room, const char *text)
{
    strncpy(to, text ? text : "", room - 1);
}

void nx_report(const char *name, long bytes, const char *access, const char *unit, const double *samples,
               long count)
{
    if (count <= 0)
        nx_end("parley: nx_report needs at least one sample\n");
    double *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        nx_end("parley: nx_report: no memory for the samples\n");
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    struct nx_spread spread = nx_spread_of(sorted, count);
    free(sorted);

    struct parley_row row;
    memset(&row, 0, sizeof row);
    set_text(row.name, sizeof row.name, name);
    set_text(row.unit, sizeof row.unit, unit);
    set_text(row.access, sizeof row.access, access);
    row.bytes = bytes;
    row.samples = count;
    row.median = spread.median;
    row.lower_quartile = spread.lower_quartile;
    row.upper_quartile = spread.upper_quartile;
    row.minimum = spread.minimum;
    row.maximum = spread.maximum;
    long value = nx_results_report(&row).contents;
    if (value < 0)
        nx_fail("nx_report", -value);
}
