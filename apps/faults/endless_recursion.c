/* SPDX-License-Identifier: MIT */
/* Calls itself until the stack is full. */
#include "fault.h"

static int deeper(int depth)
{
    volatile char room[512];
    room[depth % 512] = (char)depth;
    if (depth < 0)
        return 0; /* only so that the compiler sees an end */
    return deeper(depth + 1) + room[depth % 511];
}

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    if (deeper(1) == 0)
        puts("");
    return fault_survived("use more stack than there is");
}
