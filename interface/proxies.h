/* SPDX-License-Identifier: MIT */
/* How a user program reaches kernel objects: the proxy call (paper section 3.2, Application/Kernel
 * interface). calls.def lists the calls.
 *
 * Instruction `syscall`: eax = the call's number, rdi = proxy, rsi rdx r10 r8 r9 = up to five words.
 * Returns rax = value (>= 0) or -error (errors.h), rdx = sender where something was found, r10 = block after
 * receive_block; rcx and r11 are lost, all other registers are kept, and after an error those too. Numbers
 * below PARLEY_PROXY_BASE are Linux system calls. From it to the end of 32 bits there are 64 numbers; one
 * that no call has is answered as Linux answers a number that it does not know. */
#ifndef PARLEY_KERNEL_INTERFACE_PROXIES_H
#define PARLEY_KERNEL_INTERFACE_PROXIES_H

#define PARLEY_PROXY_BASE 0xffffffc0u

enum parley_method {
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    PARLEY_CALL(messages, messages_##name, number, parameters, arguments)
#define PARLEY_CALL(class, name, number, parameters, arguments) \
    parley_method_##name = PARLEY_PROXY_BASE + (number),
#include "interface/calls.def"
};

#endif
