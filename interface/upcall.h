/* SPDX-License-Identifier: MIT */
/* What the kernel leaves on a program's stack when it interrupts it for a handler (process.set_upcall),
 * and how the program goes on afterwards, without the kernel: it restores the registers, puts the stack
 * pointer at `flags`, and executes POPFQ, RET PARLEY_RED_ZONE. The frame lies PARLEY_RED_ZONE bytes below
 * the interrupted stack pointer, since leaf functions keep data there; its address is a multiple of 16 and
 * is in the stack pointer at the entry. */
#ifndef PARLEY_KERNEL_INTERFACE_UPCALL_H
#define PARLEY_KERNEL_INTERFACE_UPCALL_H

#define PARLEY_RED_ZONE 128

/* Offsets for assembly. */
#define PARLEY_UPCALL_REGISTERS 512
#define PARLEY_UPCALL_RESUME 632

struct parley_upcall {
    unsigned char floating_point[PARLEY_UPCALL_REGISTERS]; /* as FXSAVE64 stores it */
    unsigned long r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax;
    unsigned long resume_stack; /* address of the two words that follow the frame, perhaps after a gap */
};

/* Lies directly below the red zone. */
struct parley_upcall_resume {
    unsigned long flags;
    unsigned long instruction;
};

#endif
