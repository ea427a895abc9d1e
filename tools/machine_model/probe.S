/* SPDX-License-Identifier: MIT */
/* A kernel of known instructions: measures patterns by the time-stamp counter, writes what they took to the
 * console port, four bytes each, at last the counter itself, and ends. All runs twice, and the second time is
 * told, when the code is in the cache. Its data lie 32 KiB from its code modulo 64 KiB. */
        .section .note.pvh, "a", @note
        .long 4, 4, 18
        .asciz "Xen"
        .long start
        .text
        .code32
        .globl start

        /* Around a pattern: a move and the second reading are measured with it. The result, in the counter's
         * ticks, goes to `results'. */
        .macro  begin
        rdtsc
        mov     %eax, %ebp
        .endm
        .macro  end number
        rdtsc
        sub     %ebp, %eax
        mov     %eax, results + 4 * \number
        .endm

        .set    data, 0x208000
start:
        mov     $2, %ebx
again:
        begin
        .rept   8
        nop
        .endr
        end     0
        /* An instruction that goes on in another page: what follows it there is not fetched, so a line in
         * whose place that would be stays. */
        begin
        mov     page_end + 0x10000, %eax
        jmp     goes_on
back:   mov     page_end + 0x10000, %eax
        end     8
        /* Lines that take the place of those at data. */
        mov     data + 0x10000, %eax
        mov     data + 0x10010, %eax
        begin
        mov     data, %eax
        mov     data + 8, %eax
        mov     data + 16, %eax
        mov     data + 24, %eax
        end     1
        begin
        mov     data, %eax
        mov     data + 4, %eax
        mov     data + 12, %eax
        mov     data + 28, %eax
        end     2
        begin
        mov     %eax, data
        mov     %eax, data
        end     3
        begin
        mov     data + 0x40, %eax
        mov     data + 0x10040, %eax
        mov     data + 0x40, %eax
        end     4
        /* Eight bytes. */
        fldz
        begin
        fstpl   data + 0x80
        end     5
        /* Four steps, and a last one that finds nothing left. */
        begin
        mov     $data + 0x100, %esi
        mov     $data + 0x200, %edi
        mov     $4, %ecx
        rep movsl
        end     6
        /* The model is told that this copies; its code comes by one fill. */
        begin
        jmp     copies
        .balign 8
copies: nop
        mov     %eax, data + 0x300
        jmp     copies_end
        .balign 8
copies_end:
        end     7
        dec     %ebx
        jnz     again

        mov     $results, %esi
        mov     $36, %ecx
        mov     $0xe9, %edx
1:      mov     (%esi), %al
        out     %al, %dx
        inc     %esi
        dec     %ecx
        jnz     1b
        /* nine instructions from the reading to the end of the machine */
        rdtsc
        out     %al, $0xe9
        shr     $8, %eax
        out     %al, $0xe9
        shr     $8, %eax
        out     %al, $0xe9
        shr     $8, %eax
        out     %al, $0xe9
        mov     $0x10, %al
        out     %al, $0xf4
1:      hlt
        jmp     1b

        .org    0x1000 - 2
goes_on:
        jmp     back
        .set    page_end, 0x201000

        .bss
        .balign 64
results: .skip  64
