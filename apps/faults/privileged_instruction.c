/* SPDX-License-Identifier: MIT */
/* Switches interrupts off. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    __asm__ volatile("cli");
    return fault_survived("switch interrupts off");
}
