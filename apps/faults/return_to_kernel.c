/* SPDX-License-Identifier: MIT */
/* Returns from an interrupt that never was, to the kernel's code segment. */
#include "fault.h"

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    __asm__ volatile("pushq $0x10\n\t"
                     "pushq %%rsp\n\t"
                     "pushq $0x202\n\t"
                     "pushq $0x08\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "iretq\n"
                     "1:"
                     :
                     :
                     : "rax", "memory");
    return fault_survived("return to the kernel's segment");
}
