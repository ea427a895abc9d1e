/* SPDX-License-Identifier: MIT */
/* The smallest kernel that the runner believes: writes ready-made frames (the file FRAMES) to the results
 * port, a line to the console, and ends with STATUS. It proves the command line without the real kernel. */
        .section .note.pvh, "a", @note
        .long 4, 4, 18
        .asciz "Xen"
        .long start
        .section .multiboot, "a"
        .balign 8
header: .long 0xe85250d6, 0, header_end - header, -(0xe85250d6 + header_end - header)
        .short 0, 0
        .long 8
header_end:
        .text
        .code32
        .globl start
start:
        mov     $frames, %esi
        mov     $frames_end - frames, %ecx
        mov     $RESULTS_PORT, %edx
        rep outsb
        mov     $line, %esi
        mov     $line_end - line, %ecx
        mov     $CONSOLE_PORT, %edx
        rep outsb
        mov     $STATUS, %eax
        out     %al, $EXIT_PORT
1:      hlt
        jmp     1b
frames: .incbin FRAMES
frames_end:
line:   .ascii "the tiny kernel was here\n"
line_end:
