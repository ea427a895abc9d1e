/* SPDX-License-Identifier: MIT */
/* The reductions of NX, once: name without its type letter, and how the elements a and b combine. */
#ifndef PARLEY_NX_OPERATORS_H
#define PARLEY_NX_OPERATORS_H

#define NX_ARITHMETIC(define, letter, type)                                 \
    define(g##letter##sum, type, a + b) define(g##letter##prod, type, a *b) \
        define(g##letter##high, type, a > b ? a : b) define(g##letter##low, type, a < b ? a : b)

#define NX_BITWISE(define, type) \
    define(giand, type, a &b) define(gior, type, a | b) define(gixor, type, a ^ b)

#define NX_LOGICAL(define, type) \
    define(gland, type, a &&b) define(glor, type, a || b) define(glxor, type, !a != !b)

#endif
