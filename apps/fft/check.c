/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "reference.h"

#include <math.h>

enum { most_direct_points = 4096 };

/* The root mean square of both signals' spectra is near the root of the number of points; rounding adds a few
 * times 2^-53 of that a stage. */
static double tolerance(long points)
{
    return 1e-14 * sqrt((double)points) * (fft_log2(points) + 1);
}

static void fill_reference(struct point *spectrum, enum signal_kind kind, long points)
{
    if (kind == signal_known)
        for (long i = 0; i < points / numnodes(); i++)
            spectrum[i] = signal_known_spectrum(reference_frequency(mynode(), numnodes(), i, points), points);
    else if (points <= most_direct_points)
        reference_direct(spectrum, kind, mynode(), numnodes(), points);
    else
        reference_recursive(spectrum, kind, mynode(), numnodes(), points);
}

double check_spectrum(const struct data_set *set, enum signal_kind kind)
{
    struct point *right = buffers_take(0, 2 * set->half * (long)sizeof *right, 64);
    double worst = 0, work;
    fill_reference(right, kind, set->points);
    for (long i = 0; i < 2 * set->half; i++) {
        struct point value = data_set_at(set, i);
        double wrong = hypot(value.real - right[i].real, value.imaginary - right[i].imaginary);
        worst = wrong <= worst ? worst : wrong; /* not a number counts as wrong */
    }
    free(right);
    worst = isnan(worst) ? INFINITY : worst / tolerance(set->points);
    gdhigh(&worst, 1, &work);
    return worst;
}

unsigned long check_digest(const struct data_set *set)
{
    long digest = 0, work, first = mynode() * 2 * set->half;
    for (long i = 0; i < 2 * set->half; i++)
        digest ^= (long)signal_digest(data_set_at(set, i), first + i);
    gixor(&digest, 1, &work);
    return (unsigned long)digest;
}
