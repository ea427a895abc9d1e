/* SPDX-License-Identifier: MIT */
/* Writes a frame's first byte to the results channel. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    __asm__ volatile("outb %%al, %%dx" : : "a"(0x50), "d"(0x5e9));
    return fault_survived("write to the results channel");
}
