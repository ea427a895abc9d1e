/* SPDX-License-Identifier: MIT */
/* Stores into its own code. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    *(volatile unsigned char *)(unsigned long)main = 0xc3;
    return fault_survived("write its code");
}
