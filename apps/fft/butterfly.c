/* SPDX-License-Identifier: MIT */
#include "butterfly.h"

#include <math.h>

struct point fft_turn(double part)
{
    static const double pi = 3.14159265358979323846;
    return (struct point){cos(pi * part), -sin(pi * part)};
}

struct point fft_product(struct point left, struct point right)
{
    return (struct point){left.real * right.real - left.imaginary * right.imaginary,
                          left.real * right.imaginary + left.imaginary * right.real};
}

void fft_fill_turns(struct point *turns, long first, long half, long count)
{
    for (long i = 0; i < count; i++)
        turns[i] = fft_turn((double)(first + i) / (double)half);
}

void fft_butterflies(struct point *lower, struct point *upper, const struct point *turns, long stride,
                     long count)
{
    for (long i = 0; i < count; i++) {
        struct point a = lower[i], b = upper[i];
        lower[i] = (struct point){a.real + b.real, a.imaginary + b.imaginary};
        upper[i] = fft_product((struct point){a.real - b.real, a.imaginary - b.imaginary}, turns[i * stride]);
    }
}

void fft_stages(struct point *points, long count, const struct point *turns, long most)
{
    for (long half = count / 2; half >= 1; half /= 2)
        for (long start = 0; start < count; start += 2 * half)
            fft_butterflies(points + start, points + start + half, turns, most / half, half);
}

long fft_reverse(long number, int bits)
{
    long reversed = 0;
    for (int bit = 0; bit < bits; bit++)
        reversed |= (number >> bit & 1) << (bits - 1 - bit);
    return reversed;
}

int fft_log2(long power)
{
    int bits = 0;
    while (power >> (bits + 1))
        bits++;
    return bits;
}
