/* SPDX-License-Identifier: MIT */
/* The proxy call instruction: the only way from a program to a kernel object (registers:
 * kernel/interface/proxies.h). */
#ifndef PARLEY_NX_PROXY_CALL_H
#define PARLEY_NX_PROXY_CALL_H

#include "userlib/nx/methods.h"
#include "userlib/nx/reply.h"

static inline __attribute__((always_inline)) struct parley_reply nx_proxy_call(
    enum nx_method method, unsigned long proxy, long first, long second, long third, long fourth, long fifth)
{
    struct parley_reply reply;
    long type = second; /* rdx in, type out */
    register long block __asm__("r10") = third;
    register long node __asm__("r8") = fourth;
    register long pid __asm__("r9") = fifth;
    __asm__ volatile("syscall"
                     : "=a"(reply.value), "+d"(type), "+r"(block), "+r"(node), "+r"(pid)
                     : "0"((long)method), "D"(proxy), "S"(first)
                     : "rcx", "r11", "memory");
    reply.type = type;
    reply.block = block;
    reply.node = node;
    reply.pid = pid;
    return reply;
}

#endif
