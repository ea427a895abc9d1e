/* SPDX-License-Identifier: MIT */
#include "row_fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long length;
static struct complex_number *turn; /* exp(-2 pi i k / length) */
static long *reversed;              /* each number's bits the other way round */

void row_fft_prepare(long count)
{
    static const double pi = 3.14159265358979323846;
    length = count;
    turn = malloc((size_t)count * sizeof *turn);
    reversed = malloc((size_t)count * sizeof *reversed);
    if (!turn || !reversed) {
        fprintf(stderr, "fft_3d: there is no memory for rows of %ld numbers.\n", count);
        exit(1);
    }
    for (long k = 0; k < count; k++) {
        const double angle = -2 * pi * (double)k / (double)count;
        turn[k] = (struct complex_number){cos(angle), sin(angle)};
        reversed[k] = k ? reversed[k / 2] / 2 + (k % 2) * (count / 2) : 0;
    }
}

static void butterfly(struct complex_number *low, struct complex_number *high, struct complex_number by)
{
    const struct complex_number turned = {high->real * by.real - high->imaginary * by.imaginary,
                                          high->real * by.imaginary + high->imaginary * by.real};
    *high = (struct complex_number){low->real - turned.real, low->imaginary - turned.imaginary};
    *low = (struct complex_number){low->real + turned.real, low->imaginary + turned.imaginary};
}

void row_fft(struct complex_number *row)
{
    for (long k = 0; k < length; k++)
        if (k < reversed[k]) {
            const struct complex_number kept = row[k];
            row[k] = row[reversed[k]];
            row[reversed[k]] = kept;
        }
    for (long half = 1; half < length; half *= 2)
        for (long first = 0; first < length; first += 2 * half)
            for (long k = 0; k < half; k++)
                butterfly(&row[first + k], &row[first + k + half], turn[k * (length / (2 * half))]);
}
