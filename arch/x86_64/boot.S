/* SPDX-License-Identifier: MIT */
/* From the boot loader (PVH or Multiboot2, both 32-bit protected mode) to boot_main() in the higher half,
 * and the same way for the other processors. Nothing is parsed here: boot_main gets the loader's magic and
 * its information's physical address. */
#include "arch/x86_64/memory_map.hpp"

#define CR0_BOOT 0x80050033 /* PG AM WP NE ET MP PE */
#define CR4_BOOT 0x6a0      /* OSXMMEXCPT OSFXSR PGE PAE */
#define EFER_BOOT 0x901     /* NXE LME SCE */

    .section .note.pvh, "a", @note
    .align 4
    .long 4, 4, 18
    .asciz "Xen"
    .long boot_entry_pvh

    .section .multiboot2, "a"
    .align 8
multiboot2_header:
    .long 0xe85250d6, 0, multiboot2_end - multiboot2_header
    .long 0x100000000 - (0xe85250d6 + multiboot2_end - multiboot2_header)
    .align 8
    .word 6, 0            /* modules on page boundaries */
    .long 8
    .align 8
    .word 0, 0
    .long 8
multiboot2_end:

    .section .boot.text, "ax"
    .code32
    .global boot_entry
boot_entry_pvh:
    movl $0x336ec578, %eax /* PVH leaves EAX undefined; this is its information's own magic */
boot_entry:
    cli
    movl $boot_stack_end, %esp
    movl %eax, %edi
    movl %ebx, %esi

    /* Four page directories of 2 MiB pages map the first 4 GiB. */
    movl $boot_directories, %ebx
    movl $0x83, %eax
    movl $2048, %ecx
1:  movl %eax, (%ebx)
    movl $0, 4(%ebx)
    addl $0x200000, %eax
    addl $8, %ebx
    loop 1b
    /* They appear at 0, at the direct map, and (the first) at the kernel's base. */
    movl $boot_directories + 3, %eax
    movl $boot_pdpt, %ebx
    movl $4, %ecx
2:  movl %eax, (%ebx)
    addl $4096, %eax
    addl $8, %ebx
    loop 2b
    movl $boot_directories + 3, boot_pdpt_kernel + 510 * 8
    movl $boot_pdpt + 3, boot_pml4
    movl $boot_pdpt + 3, boot_pml4 + 256 * 8
    movl $boot_pdpt_kernel + 3, boot_pml4 + 511 * 8
    call enter_long_mode
    ljmp $8, $3f
    .code64
3:  movabsq $boot_high, %rax
    jmp *%rax

    .code32
enter_long_mode:
    movl $CR4_BOOT, %eax
    movl %eax, %cr4
    movl $boot_pml4, %eax
    movl %eax, %cr3
    movl $0xc0000080, %ecx
    movl $EFER_BOOT, %eax
    xorl %edx, %edx
    wrmsr
    movl $CR0_BOOT, %eax
    movl %eax, %cr0
    lgdt boot_gdt_pointer
    ret

    .section .boot.data, "aw"
    .align 8
boot_gdt:
    .quad 0, 0x00af9a000000ffff, 0x00cf92000000ffff
boot_gdt_pointer:
    .word 23
    .long boot_gdt

    .section .boot.bss, "aw", @nobits
    .align 4096
    .global boot_pml4
boot_pml4:        .skip 4096
boot_pdpt:        .skip 4096
boot_pdpt_kernel: .skip 4096
boot_directories: .skip 4 * 4096
boot_stack:       .skip 256
boot_stack_end:

    .text
    .code64
boot_high:
    movw $16, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    xorl %eax, %eax
    movw %ax, %fs
    movw %ax, %gs
    leaq first_stack_end(%rip), %rsp
    xorl %ebp, %ebp
    /* edi, esi: magic and information, zero-extended */
    movl %edi, %edi
    movl %esi, %esi
    call boot_main
    ud2

/* The stack is in the kernel's own table only, and that table does not reach the trampoline. */
processor_high:
    movq %rdx, %cr3
    movq %rsi, %rsp
    xorl %ebp, %ebp
    call processor_main
    ud2

    .bss
    .align 16
first_stack: .skip 32768
first_stack_end:

/* The other processors start here in real mode, copied to TRAMPOLINE_ADDRESS. The starter has left the
 * processor's block, its stack and the kernel's page table in the three words at the end. */
    .section .rodata
    .global trampoline_start, trampoline_end, trampoline_stack, trampoline_processor, trampoline_table
    .align 16
#define AT_TRAMPOLINE(label) (TRAMPOLINE_ADDRESS + label - trampoline_start)
trampoline_start:
    .code16
    cli
    xorw %ax, %ax
    movw %ax, %ds
    lgdtl AT_TRAMPOLINE(trampoline_gdt_pointer)
    movl $0x11, %eax
    movl %eax, %cr0
    ljmpl $24, $AT_TRAMPOLINE(4f)
    .code32
4:  movw $16, %ax
    movw %ax, %ds
    movw %ax, %ss
    movw %ax, %es
    movl $(TRAMPOLINE_ADDRESS + 4096), %esp
    movl $enter_long_mode, %eax
    call *%eax
    ljmp $8, $AT_TRAMPOLINE(5f)
    .code64
5:  movq AT_TRAMPOLINE(trampoline_processor), %rdi
    movq AT_TRAMPOLINE(trampoline_stack), %rsi
    movq AT_TRAMPOLINE(trampoline_table), %rdx
    movabsq $processor_high, %rax
    jmp *%rax
    .align 8
trampoline_gdt:
    .quad 0, 0x00af9a000000ffff, 0x00cf92000000ffff, 0x00cf9a000000ffff
trampoline_gdt_pointer:
    .word 31
    .long AT_TRAMPOLINE(trampoline_gdt)
    .align 8
trampoline_stack:     .quad 0
trampoline_processor: .quad 0
trampoline_table:     .quad 0
trampoline_end:

    .section .note.GNU-stack, "", @progbits
