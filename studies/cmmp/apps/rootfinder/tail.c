/* SPDX-License-Identifier: MIT */
#include "tail.h"

#include <math.h>

static const long double switch_point = 2.32L;
static const long double density_factor = 0.398942280401432677939946059934381868L; /* 1 / sqrt(2 pi) */
static const long double smallest_share = 4e-19L; /* of the sum, or of the fraction: what is left out */

static long double density(long double x)
{
    return density_factor * expl(-x * x / 2);
}

/* x + x^3/3 + x^5/(3 5) + ...: the area below x, over the density there. As printed, the documents leave the
 * density out. */
static long double area_by_series(long double x, long *steps)
{
    long double term = x, sum = x;
    long step = 0;
    for (; term > smallest_share * sum; step++) {
        term *= x * x / (2 * (long double)step + 3);
        sum += term;
    }
    *steps = step;
    return sum;
}

/* 1/(x + 1/(x + 2/(x + 3/(x + ...)))), from the front: numerators and denominators of its convergents, scaled
 * so that none grows too large. */
static long double tail_by_fraction(long double x, long *steps)
{
    long double before = 0, numerator = 1, before_below = 1, denominator = x, value = 1 / x, last = 0;
    long step = 0;
    while (fabsl(value - last) > smallest_share * value) {
        step++;
        const long double weight = (long double)step;
        const long double next = x * numerator + weight * before;
        const long double next_below = x * denominator + weight * before_below;
        before = numerator / next_below;
        before_below = denominator / next_below;
        numerator = next / next_below;
        denominator = 1;
        last = value;
        value = numerator;
    }
    *steps = step;
    return value;
}

long double tail_probability(long double x, long *steps)
{
    long taken;
    const long double value = x < switch_point ? 0.5L - density(x) * area_by_series(x, &taken)
                                               : density(x) * tail_by_fraction(x, &taken);
    if (steps)
        *steps = taken;
    return value;
}

long double tail_work(long double x, long steps)
{
    long double term = x, sum = x;
    for (long step = 0; step < steps; step++) {
        term *= x * x / (2 * (long double)(step % 64) + 3);
        sum += term;
    }
    return sum;
}
