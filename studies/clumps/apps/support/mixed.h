/* SPDX-License-Identifier: MIT */
/* Numbers that look random and depend on what they are made of alone: the same on every node, and in a
 * program's sequential form. */
#ifndef PARLEY_CLUMPS_MIXED_H
#define PARLEY_CLUMPS_MIXED_H

#include <stdint.h>
#include <string.h>

/* The finalizer of splitmix64: another number for each number. */
static inline uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t mixed_of(uint64_t first, uint64_t second)
{
    return mixed(mixed(first) ^ second);
}

/* In [0, 1). */
static inline double mixed_part(uint64_t x)
{
    return (double)(x >> 11) * 0x1p-53;
}

/* What a value at a place adds to the sum of a program's results, bit for bit. */
static inline uint64_t mixed_value(uint64_t place, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mixed_of(place, bits);
}

#endif
