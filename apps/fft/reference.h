/* SPDX-License-Identifier: MIT */
/* Spectra computed in other ways, to compare with. Both give the part of the spectrum that one of `nodes`
 * nodes holds after the distributed transform: position i of node p is the frequency whose bits are those of
 * p * count / nodes + i in reverse. */
#ifndef PARLEY_FFT_REFERENCE_H
#define PARLEY_FFT_REFERENCE_H

#include "butterfly.h"
#include "signal.h"

/* The frequency at position i of that node. */
long reference_frequency(long node, long nodes, long i, long count);

/* By the definition: count * count / nodes steps. */
void reference_direct(struct point *spectrum, enum signal_kind kind, long node, long nodes, long count);

/* By decimation in time, recursive: sums over the nodes' parts, then one smaller transform. */
void reference_recursive(struct point *spectrum, enum signal_kind kind, long node, long nodes, long count);

#endif
