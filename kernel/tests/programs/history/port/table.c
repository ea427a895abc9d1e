/* SPDX-License-Identifier: MIT */
#include "table.h"
#include <nx.h>

static int one ANSI_ARGS((void))
{
    return 1;
}

static int (*other)();
int (*chosen)() = one;

static int twice ANSI_ARGS((int number))
{
    return 2 * number;
}

int itable_(number)
int *number;
{
    other = chosen;
    return twice(*number) + other() + 0 * mynode();
}
