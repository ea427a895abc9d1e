/* SPDX-License-Identifier: MIT */
/* Stops at a breakpoint, where no debugger waits. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    __asm__ volatile("int3");
    return fault_survived("go on behind a breakpoint");
}
