/* SPDX-License-Identifier: MIT */
/* Binary reflected Gray code: neighbours in a ring become neighbours in a hypercube. */
#include <nx.h>

long gray(long number)
{
    unsigned value = (unsigned)number;
    return (int)(value ^ value >> 1);
}

long ginv(long code)
{
    unsigned value = (unsigned)code;
    for (int shift = 1; shift < 32; shift <<= 1)
        value ^= value >> shift;
    return (int)value;
}

long _gray(long number)
{
    return gray(number);
}

long _ginv(long code)
{
    return ginv(code);
}
