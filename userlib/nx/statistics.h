/* SPDX-License-Identifier: MIT */
/* Order statistics of a set of samples. */
#ifndef PARLEY_NX_STATISTICS_H
#define PARLEY_NX_STATISTICS_H

struct nx_spread {
    double minimum;
    double lower_quartile;
    double median;
    double upper_quartile;
    double maximum;
};

/* Sorts the samples in place; all zero when there are none. Quartiles lie between samples by linear
 * interpolation. */
struct nx_spread nx_spread_of(double *samples, long count);

#endif
