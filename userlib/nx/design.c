/* SPDX-License-Identifier: MIT */
/* What a program may know about the design that carries its messages. */
#include "userlib/nx/this_process.h"

#include <nx.h>

const char *nx_design(void)
{
    return nx_process.start->design;
}

long nx_hands_over(void)
{
    return nx_process.hands_over;
}

long nx_needs_shared(void)
{
    return nx_process.needs_shared;
}
