/* SPDX-License-Identifier: MIT */
/* ADM's loops: what a column of air gains and loses, layer by layer. */
#include "studies/cedar/apps/support/perfect.h"

enum { terms = 3 };

static void column(double *to, const double *from, long length)
{
    for (long i = 0; i < length; i++) {
        const double mixed = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
        double lost = 1;
        for (int term = 0; term < terms; term++)
            lost = 1 - 0.125 * mixed * lost;
        to[i] = mixed * (0.5 + 0.25 * lost) + 0.25;
    }
}

int main(int argc, char **argv)
{
    return run_perfect(&adm_input, column, argc, argv);
}
