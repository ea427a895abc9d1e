/* SPDX-License-Identifier: MIT */
/* Whether the spectrum is right. Every node checks its own part; the calls are collective. */
#ifndef PARLEY_FFT_CHECK_H
#define PARLEY_FFT_CHECK_H

#include "data_set.h"

/* The largest difference from the right spectrum, as a part of what rounding may do: more than 1 is wrong.
 * Noise is compared with the definition up to 4096 points and with another algorithm above; signal_known with
 * its formula. */
double check_spectrum(const struct data_set *set, enum signal_kind kind);

/* One number for all bits of the spectrum, the same for any number of nodes. */
unsigned long check_digest(const struct data_set *set);

#endif
