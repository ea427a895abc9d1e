/* SPDX-License-Identifier: MIT */
/* parley_copy(to, from, bytes): the one copy routine of kernel, user library and native library, so that
 * designs compare. General registers only; eight bytes a move, 64 a turn; no string instructions
 * (emulator.hpp). Returns 0. It uses no stack, so that a fault at any of its instructions can be turned into
 * the return of 1. */
    .text
    .global parley_copy, parley_copy_end, parley_copy_fault
    .type parley_copy, @function
parley_copy:
    movq %rdx, %rcx
    shrq $6, %rcx
    jz 2f
1:  movq (%rsi), %rax
    movq 8(%rsi), %r8
    movq 16(%rsi), %r9
    movq 24(%rsi), %r10
    movq %rax, (%rdi)
    movq %r8, 8(%rdi)
    movq %r9, 16(%rdi)
    movq %r10, 24(%rdi)
    movq 32(%rsi), %rax
    movq 40(%rsi), %r8
    movq 48(%rsi), %r9
    movq 56(%rsi), %r10
    movq %rax, 32(%rdi)
    movq %r8, 40(%rdi)
    movq %r9, 48(%rdi)
    movq %r10, 56(%rdi)
    addq $64, %rsi
    addq $64, %rdi
    decq %rcx
    jnz 1b
    /* The last bytes of a long copy: one more turn that ends with them, over what is copied already. */
    andl $63, %edx
    jz 6f
    leaq -64(%rsi,%rdx), %rsi
    leaq -64(%rdi,%rdx), %rdi
    xorl %edx, %edx
    incl %ecx
    jmp 1b
2:  movl %edx, %ecx
    shrl $3, %ecx
    jz 4f
3:  movq (%rsi), %rax
    movq %rax, (%rdi)
    addq $8, %rsi
    addq $8, %rdi
    decl %ecx
    jnz 3b
    /* Those of a short one: one move in the same way, when there are eight. */
    movl %edx, %ecx
    andl $7, %ecx
    jz 6f
    movq -8(%rsi,%rcx), %rax
    movq %rax, -8(%rdi,%rcx)
    xorl %eax, %eax
    ret
4:  movl %edx, %ecx
    testl %ecx, %ecx
    jz 6f
5:  movb (%rsi), %al
    movb %al, (%rdi)
    incq %rsi
    incq %rdi
    decl %ecx
    jnz 5b
6:  xorl %eax, %eax
    ret
parley_copy_end:
parley_copy_fault:
    movl $1, %eax
    ret
    .size parley_copy, . - parley_copy

    .section .note.GNU-stack, "", @progbits
