/* SPDX-License-Identifier: MIT */
/* Jumps into a page of data, where a return instruction lies. */
#include "fault.h"

static unsigned char code[16] = {0xc3};

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    ((void (*)(void))code)();
    return fault_survived("execute data");
}
