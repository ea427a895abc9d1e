/* SPDX-License-Identifier: MIT */
/* The Fourier transform of one row of complex numbers that lie beside each other. */
#ifndef PARLEY_CLUMPS_ROW_FFT_H
#define PARLEY_CLUMPS_ROW_FFT_H

struct complex_number {
    double real, imaginary;
};

/* For rows of so many numbers, a power of two; ends the program where there is no memory. */
void row_fft_prepare(long count);
/* Number k becomes the sum of each n-th one times exp(-2 pi i k n / count). */
void row_fft(struct complex_number *row);

#endif
