/* SPDX-License-Identifier: MIT */
/* The signals that are transformed. Every node can compute any point of them. */
#ifndef PARLEY_FFT_SIGNAL_H
#define PARLEY_FFT_SIGNAL_H

#include "butterfly.h"

enum signal_kind {
    signal_noise, /* reproducible, both parts between -1 and 1 */
    signal_known  /* a tone and an impulse: the spectrum can be written down */
};

struct point signal_at(enum signal_kind kind, long index, long count);

/* The spectrum of signal_known at one frequency. */
struct point signal_known_spectrum(long frequency, long count);

/* A number that depends on every bit of the point and on its position. */
unsigned long signal_digest(struct point value, long position);

#endif
