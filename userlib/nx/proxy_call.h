/* SPDX-License-Identifier: MIT */
/* The proxy call instruction: the only way from a program to a kernel object (registers:
 * interface/proxies.h). */
#ifndef PARLEY_NX_PROXY_CALL_H
#define PARLEY_NX_PROXY_CALL_H

#include "interface/proxies.h"
#include "userlib/nx/registers.h"

static inline __attribute__((always_inline)) struct nx_registers nx_proxy_call(enum parley_method method,
                                                                               unsigned long proxy,
                                                                               long first, long second,
                                                                               long third, long fourth,
                                                                               long fifth)
{
    struct nx_registers registers;
    long rdx = second;
    register long r10 __asm__("r10") = third;
    register long r8 __asm__("r8") = fourth;
    register long r9 __asm__("r9") = fifth;
    __asm__ volatile("syscall"
                     : "=a"(registers.value), "+d"(rdx), "+r"(r10), "+r"(r8), "+r"(r9)
                     : "0"((long)method), "D"(proxy), "S"(first)
                     : "rcx", "r11", "memory");
    registers.rdx = rdx;
    registers.r10 = r10;
    registers.r8 = r8;
    registers.r9 = r9;
    return registers;
}

#endif
