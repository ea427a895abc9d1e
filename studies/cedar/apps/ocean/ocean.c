/* SPDX-License-Identifier: MIT */
/* OCEAN's loops: butterflies of a transform, whose factors are computed one from the other. */
#include "studies/cedar/apps/support/perfect.h"

static void butterflies(double *to, const double *from, long length)
{
    const long half = length / 2;
    double cosine = 1, sine = 0;
    for (long i = 0; i < half; i++) {
        const double turned = cosine * from[i + half] - sine * from[i + half + 1];
        to[i] = 0.5 * (from[i] + turned);
        to[i + half] = 0.5 * (from[i] - turned) + 1;
        const double next = 0.995 * cosine - 0.0998 * sine;
        sine = 0.995 * sine + 0.0998 * cosine;
        cosine = next;
    }
    if (length % 2 != 0)
        to[length - 1] = from[length - 1];
}

int main(int argc, char **argv)
{
    return run_perfect(&ocean_input, butterflies, argc, argv);
}
