/* SPDX-License-Identifier: MIT */
/* Loads from the half of the address space that is the kernel's. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    (void)*(volatile int *)0xffffffff80000000;
    return fault_survived("read the kernel's memory");
}
