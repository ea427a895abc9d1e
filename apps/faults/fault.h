/* SPDX-License-Identifier: MIT */
/* Programs that misbehave on purpose: the last node does, the others mind their own business. The last node
 * is expected to end with a sentence from the kernel, and its job with it; no other job may notice. */
#ifndef PARLEY_FAULT_H
#define PARLEY_FAULT_H

#include <nx.h>
#include <stdio.h>

static inline int fault_is_mine(void)
{
    return mynode() == numnodes() - 1;
}

static inline int fault_bystander(void)
{
    for (int i = 0; i < 100; i++)
        flick();
    printf("node %ld goes on\n", mynode());
    return 0;
}

static inline int fault_survived(const char *misdeed)
{
    fprintf(stderr, "protection failed: node %ld could %s\n", mynode(), misdeed);
    return 99;
}

#endif
