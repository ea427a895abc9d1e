/* SPDX-License-Identifier: MIT */
/* Stores through a pointer to nowhere. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    *(volatile int *)0x123456789000 = 1;
    return fault_survived("store at a wild address");
}
