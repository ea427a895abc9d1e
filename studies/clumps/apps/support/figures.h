/* SPDX-License-Identifier: MIT */
/* Numbers as Lumetta's thesis reports them (section 5.1): the mean of samples, and twice the standard
 * deviation of that mean, within which it lies with a confidence of some 95 %. */
#ifndef PARLEY_CLUMPS_FIGURES_H
#define PARLEY_CLUMPS_FIGURES_H

#include "apps/support/own_table.h"

#include <math.h>
#include <nx.h>
#include <stdio.h>

struct figure {
    double mean;
    double half;  /* of the interval */
    double sigma; /* of one sample */
};

static inline struct figure figure_of(const double *samples, long count)
{
    double sum = 0, squares = 0;
    for (long i = 0; i < count; i++)
        sum += samples[i];
    const double mean = sum / (double)count;
    for (long i = 0; i < count; i++)
        squares += (samples[i] - mean) * (samples[i] - mean);
    const double sigma = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    return (struct figure){mean, 2 * sigma / sqrt((double)count), sigma};
}

/* The half interval of a sum or difference of two independent figures whose half intervals these are. */
static inline double figure_in_quadrature(double one, double other)
{
    return sqrt(one * one + other * other);
}

/* How many decimals show one digit of the half interval; three where it is nothing. */
static inline int figure_decimals(double half)
{
    const int decimals = half > 0 ? (int)-floor(log10(half)) : 3;
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

/* A line "program: name 3.065 +- 0.008 unit, sigma 0.036", the half interval rounded up. */
static inline void figure_print(const char *program, const char *name, const char *unit, struct figure figure)
{
    const int decimals = figure_decimals(figure.half);
    const double scale = pow(10, decimals);
    table_printf("%s: %s %.*f +- %.*f %s, sigma %.*f\n", program, name, decimals, figure.mean, decimals,
                 fmax(0, ceil(figure.half * scale - 1e-6)) / scale, unit, decimals, figure.sigma);
}

/* Prints that line for these samples, and reports their median and quartiles to the record. */
static inline struct figure figure_tell(const char *program, const char *name, long bytes, const char *unit,
                                        const double *samples, long count)
{
    const struct figure figure = figure_of(samples, count);
    nx_report(name, bytes, "none", unit, samples, count);
    figure_print(program, name, unit, figure);
    return figure;
}

#endif
