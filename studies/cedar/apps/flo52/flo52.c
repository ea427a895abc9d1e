/* SPDX-License-Identifier: MIT */
/* FLO52's loops: a central difference with its dissipation, more references than arithmetic. */
#include "studies/cedar/apps/support/perfect.h"

static void residual(double *to, const double *from, long length)
{
    for (long i = 0; i < length; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

int main(int argc, char **argv)
{
    return run_perfect(&flo52_input, residual, argc, argv);
}
