/* SPDX-License-Identifier: MIT */
#include "signal.h"

#include <string.h>

/* splitmix64 */
static unsigned long mixed(unsigned long number)
{
    number += 0x9e3779b97f4a7c15ul;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ul;
    number = (number ^ number >> 27) * 0x94d049bb133111ebul;
    return number ^ number >> 31;
}

static double uniform(unsigned long number)
{
    return (double)(mixed(number) >> 11) / (double)(1ul << 52) - 1;
}

static long tone(long count)
{
    return count / 8 + 3;
}

static long impulse(long count)
{
    return count / 4 + 5;
}

/* exp(-2 pi i product / count), from an exact fraction */
static struct point root(long product, long count)
{
    return fft_turn((double)(2 * (product % count)) / (double)count);
}

struct point signal_at(enum signal_kind kind, long index, long count)
{
    if (kind == signal_noise)
        return (struct point){uniform(2 * (unsigned long)index), uniform(2 * (unsigned long)index + 1)};
    struct point value = root(tone(count) * index, count);
    value.imaginary = -value.imaginary;
    value.real += index == impulse(count);
    return value;
}

struct point signal_known_spectrum(long frequency, long count)
{
    struct point value = root(impulse(count) * frequency, count);
    value.real += frequency == tone(count) ? (double)count : 0;
    return value;
}

unsigned long signal_digest(struct point value, long position)
{
    unsigned long bits[2];
    memcpy(bits, &value, sizeof bits);
    return mixed(bits[0] ^ mixed(bits[1] ^ mixed((unsigned long)position)));
}
