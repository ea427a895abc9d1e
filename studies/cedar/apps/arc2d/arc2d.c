/* SPDX-License-Identifier: MIT */
/* ARC2D's loops: a tridiagonal system along each line, solved by elimination from left to right. */
#include "studies/cedar/apps/support/perfect.h"

static void sweep(double *to, const double *from, long length)
{
    double factor = 0, value = 1;
    for (long i = 0; i < length; i++) {
        factor = 1 / (4 - factor);
        value = (from[i] + from[i + 1] + value) * factor;
        to[i] = value + 0.5;
    }
}

int main(int argc, char **argv)
{
    return run_perfect(&arc2d_input, sweep, argc, argv);
}
