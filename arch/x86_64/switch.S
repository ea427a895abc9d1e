/* SPDX-License-Identifier: MIT */
/* The process switch: callee-saved registers only, since the compiler has saved the others at the call. */
#include "arch/x86_64/asm_offsets.hpp"

    .text
    .global switch_context
switch_context:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret

    .global context_start
context_start:
    xorl %ebp, %ebp
    movq %r13, %rdi
    call *%r12
    ud2

/* enter_user(entry, stack): the first entry into user mode; no register carries anything over. */
    .global enter_user
enter_user:
    pushq $USER_DATA
    pushq %rsi
    pushq $0x202
    pushq $USER_CODE
    pushq %rdi
    xorl %eax, %eax
    xorl %ebx, %ebx
    xorl %ecx, %ecx
    xorl %edx, %edx
    xorl %esi, %esi
    xorl %edi, %edi
    xorl %ebp, %ebp
    xorl %r8d, %r8d
    xorl %r9d, %r9d
    xorl %r10d, %r10d
    xorl %r11d, %r11d
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
    swapgs
    iretq

/* enter_call(frame): the way back from a call whose registers these are, with the value 0. Registers that a
 * call keeps and the frame has not are 0. */
    .global enter_call
enter_call:
    movq %rdi, %rsp
    xorl %eax, %eax
    xorl %ebx, %ebx
    xorl %ebp, %ebp
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
    popq %rdi
    popq %rsi
    popq %rdx
    popq %r10
    popq %r8
    popq %r9
    popq %rcx
    popq %r11
    popq %rsp
    swapgs
    sysretq

    .section .note.GNU-stack, "", @progbits
