/* SPDX-License-Identifier: MIT */
/* The arithmetic of the transform, decimation in frequency: natural order in, bit-reversed order out. Every
 * turn is computed from an exact fraction and every butterfly in one way, so the spectrum has the same bits
 * for any number of nodes and under every design. */
#ifndef PARLEY_FFT_BUTTERFLY_H
#define PARLEY_FFT_BUTTERFLY_H

struct point {
    double real, imaginary;
};

/* exp(-i pi part) */
struct point fft_turn(double part);

struct point fft_product(struct point left, struct point right);

/* turns[i] = exp(-i pi (first + i) / half): what the butterflies of a stage over 2 * half points need. */
void fft_fill_turns(struct point *turns, long first, long half, long count);

/* upper gets (lower - upper) turned by turns[i * stride], lower gets lower + upper. */
void fft_butterflies(struct point *lower, struct point *upper, const struct point *turns, long stride,
                     long count);

/* All stages within `count` points; turns are those of a stage over 2 * most points, most >= count / 2. */
void fft_stages(struct point *points, long count, const struct point *turns, long most);

/* The lowest `bits` bits of the number, in reverse. */
long fft_reverse(long number, int bits);

int fft_log2(long power);

#endif
