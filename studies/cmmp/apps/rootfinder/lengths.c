/* SPDX-License-Identifier: MIT */
#include "lengths.h"

#include <math.h>

const char *length_name(enum length_kind kind)
{
    static const char *const names[] = {"authentic", "constant", "normal", "exponential"};
    return kind < length_kinds ? names[kind] : "";
}

/* splitmix64: a good bit mixer, so that counters make independent numbers. */
static unsigned long mixed(unsigned long value)
{
    value += 0x9e3779b97f4a7c15UL;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9UL;
    value = (value ^ value >> 27) * 0x94d049bb133111ebUL;
    return value ^ value >> 31;
}

/* Above 0, up to 1. */
static double uniform(unsigned long *state)
{
    *state = mixed(*state);
    return ((double)(*state >> 11) + 1) * 0x1p-53;
}

static double exponential(unsigned long *state)
{
    return -log(uniform(state));
}

static double normal(unsigned long *state)
{
    static const double full_turn = 6.283185307179586;
    const double radius = sqrt(2 * exponential(state));
    return radius * cos(full_turn * uniform(state));
}

long length_of(const struct lengths *lengths, long root, long stage, long process)
{
    unsigned long state = mixed(lengths->seed);
    state = mixed(state ^ (unsigned long)(root * 4096 + stage));
    state = mixed(state ^ (unsigned long)process);
    const double mean = (double)lengths->mean;
    double length = mean;
    if (lengths->kind == length_normal)
        length = mean + mean * (double)lengths->deviation / 100 * normal(&state);
    else if (lengths->kind == length_exponential)
        length = mean * exponential(&state);
    return length < 0 ? 0 : lround(length);
}
