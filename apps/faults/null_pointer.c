/* SPDX-License-Identifier: MIT */
/* Stores through a null pointer. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    *(volatile int *)0 = 1;
    return fault_survived("store at address 0");
}
