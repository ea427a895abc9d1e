/* SPDX-License-Identifier: MIT */
/* The function whose crossing is looked for, F(x) = Q(x) - h: Q is the probability that a normal variable is
 * above x. It falls from 1/2 at 0 towards 0, and how long it takes depends on x: a power series below 2.32, a
 * continued fraction from there on. */
#ifndef PARLEY_ROOTFINDER_TAIL_H
#define PARLEY_ROOTFINDER_TAIL_H

/* Q(x) for 0 <= x <= 40, to 1e-17 of 1/2 below 2.32, and to 1e-15 of itself above. `steps`, if not null, is
 * how many steps of its series or fraction it took. */
long double tail_probability(long double x, long *steps);

/* So many steps of the series again, whose sum means nothing: work of a known length. */
long double tail_work(long double x, long steps);

#endif
