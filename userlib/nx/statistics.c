/* SPDX-License-Identifier: MIT */
#include "userlib/nx/statistics.h"

#include <stdlib.h>

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *sorted, long count, double fraction)
{
    double place = fraction * (double)(count - 1);
    long below = (long)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct nx_spread nx_spread_of(double *samples, long count)
{
    struct nx_spread result = {0, 0, 0, 0, 0};
    if (count <= 0)
        return result;
    qsort(samples, (size_t)count, sizeof *samples, by_size);
    result.minimum = samples[0];
    result.lower_quartile = quantile(samples, count, 0.25);
    result.median = quantile(samples, count, 0.5);
    result.upper_quartile = quantile(samples, count, 0.75);
    result.maximum = samples[count - 1];
    return result;
}
