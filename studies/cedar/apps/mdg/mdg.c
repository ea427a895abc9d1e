/* SPDX-License-Identifier: MIT */
/* MDG's loops: forces of molecules on each other, much arithmetic for what is read. */
#include "studies/cedar/apps/support/perfect.h"

enum { terms = 12 };

static void forces(double *to, const double *from, long length)
{
    for (long i = 0; i < length; i++) {
        const double distance = from[i] - from[i + 1];
        const double inverse = 1 / (1 + distance * distance);
        double force = 1;
        for (int term = 0; term < terms; term++)
            force = 0.5 + 0.25 * force * inverse;
        to[i] = force + 0.125 * from[i];
    }
}

int main(int argc, char **argv)
{
    return run_perfect(&mdg_input, forces, argc, argv);
}
