/* SPDX-License-Identifier: MIT */
/* Entries from traps, interrupts and system calls. The kernel runs with interrupts off and SMAP closed from
 * the first instruction. */
#include "arch/x86_64/asm_offsets.hpp"

    .text
/* 256 stubs of 16 bytes: push a zero where the processor pushes no error code, then the vector. */
    .align 16
    .global trap_stubs
trap_stubs:
    .set vector, 0
    .rept 256
    .align 16
    .if !(vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21)
    pushq $0
    .endif
    pushq $vector
    jmp trap_common
    .set vector, vector + 1
    .endr

trap_common:
    cld
    clac
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rbx
    pushq %rbp
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    testb $3, TRAP_FRAME_CODE_SEGMENT(%rsp)
    jz 1f
    swapgs
1:  movq %rsp, %rdi
    movq %rsp, %rbp /* 22 words, from a multiple of 16 on: aligned as calls want it */
    call handle_trap
    movq %rbp, %rsp
    testb $3, TRAP_FRAME_CODE_SEGMENT(%rsp)
    jz 2f
    swapgs
2:  popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rbp
    popq %rbx
    popq %rdx
    popq %rcx
    popq %rax
    addq $16, %rsp
    iretq

/* A system call keeps every register but rax, rcx and r11, so only the caller-saved ones are stored; their
 * places on the stack are the CallFrame (trap.hpp) in which the kernel reads arguments and leaves results. */
    .global system_call_entry
system_call_entry:
    swapgs
    movq %rsp, %gs:PROCESSOR_USER_STACK
    movq %gs:PROCESSOR_KERNEL_STACK, %rsp
    pushq %gs:PROCESSOR_USER_STACK
    pushq %r11
    pushq %rcx
    pushq %r9
    pushq %r8
    pushq %r10
    pushq %rdx
    pushq %rsi
    pushq %rdi
    movq %rsp, %rdi
    addl $NUMBERED_CALL_COUNT, %eax /* carries from the first of our numbers on */
    jnc 2f
    movq %r10, %rcx
    call *call_handlers(,%rax,8)
1:  popq %rdi
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
2:  leal -NUMBERED_CALL_COUNT(%rax), %esi
    call *(call_handlers + NUMBERED_CALL_COUNT * 8)
    jmp 1b

    .section .note.GNU-stack, "", @progbits
