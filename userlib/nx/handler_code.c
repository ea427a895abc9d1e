/* SPDX-License-Identifier: MIT */
#include "userlib/nx/handler_code.h"

#include "interface/upcall.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"
#include "userlib/nx/proxies.h"

/* The program's own code, whole pages: the wrappers' linker script collects it (program.ld). */
extern const char nx_program_start[] __attribute__((weak, visibility("hidden")));
extern const char nx_program_end[] __attribute__((weak, visibility("hidden")));

void nx_interrupted(void);

/* Where the kernel lets an interrupted program go on: the frame is at the stack pointer. The floating-point
 * unit starts afresh for the handler, and everything comes back from the frame. */
__asm__(".text\n"
        ".globl nx_interrupted\n"
        ".hidden nx_interrupted\n"
        ".type nx_interrupted, @function\n"
        "nx_interrupted:\n"
        "    movq %rsp, %rbx\n"
        "    fninit\n"
        "    pushq $0x1f80\n"
        "    ldmxcsr (%rsp)\n"
        "    movq %rbx, %rsp\n"
        "    call nx_attend\n"
        "    movq %rbx, %rsp\n"
        "    fxrstor64 (%rsp)\n"
        "    addq $512, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %r11\n"
        "    popq %r10\n"
        "    popq %r9\n"
        "    popq %r8\n"
        "    popq %rdi\n"
        "    popq %rsi\n"
        "    popq %rbp\n"
        "    popq %rbx\n"
        "    popq %rdx\n"
        "    popq %rcx\n"
        "    popq %rax\n"
        "    movq (%rsp), %rsp\n"
        "    popfq\n"
        "    ret $128\n"
        ".size nx_interrupted, . - nx_interrupted\n");

_Static_assert(PARLEY_RED_ZONE == 128 && PARLEY_UPCALL_REGISTERS == 512, "as in the instructions above");

long nx_prepare_interruptions(void)
{
    static int prepared;
    if (prepared)
        return 0;
    if (!(unsigned long)nx_program_start)
        nx_end(
            "parley: this program was linked without nxcc, nxc++ or nxf77, so nobody knows which code is its "
            "own and may be interrupted for handlers: link it with one of these\n");
    long value = nx_process_set_upcall(nx_interrupted, nx_program_start, nx_program_end).contents;
    prepared = value >= 0;
    return value;
}

int nx_is_program_code(const void *address)
{
    return (const char *)address >= nx_program_start && (const char *)address < nx_program_end;
}
