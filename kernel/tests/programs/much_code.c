/* SPDX-License-Identifier: MIT */
/* A program with more code than the kernel hides at once (kernel/memory/pieces.hpp). Told in its library of
 * something to look after, it is interrupted as it comes to its code, wherever that lies, and once. */
#include "interface/library_messages.h"
#include "interface/upcall.h"
#include "userlib/nx/proxies.h"

#include <nx.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define RETURNS 0xc3 /* the instruction RET, a function that does nothing */

static const unsigned long mib = 1ul << 20, bytes = 130ul << 20;

_Static_assert(PARLEY_UPCALL_RESUME == 632 && PARLEY_RED_ZONE == 128, "as in the instructions below");

int interruptions;
void interrupted(void);
__asm__(".text\n"
        "interrupted:\n"
        "    incl interruptions(%rip)\n"
        "    movq 632(%rsp), %rsp\n"
        "    popfq\n"
        "    ret $128\n");

static long interrupt_at(void (*entry)(void), const char *code)
{
    const long start = (long)code;
    nx_proxy_call(parley_method_process_set_upcall, nx_process.process_proxy, (long)entry, start,
                  start + (long)bytes, 0, 0);
    return nx_proxy_call(parley_method_process_notify, nx_process.process_proxy, nx_process.start->endpoint,
                         0, 0, 0, 0)
        .value;
}

static int call(const char *code, unsigned long place)
{
    void (*function)(void);
    const char *at = code + place;
    const int before = interruptions;
    memcpy(&function, &at, sizeof function);
    function();
    return interruptions - before;
}

int main(void)
{
    const unsigned long places[] = {0, 64 * mib - 1, 64 * mib, 100 * mib, 128 * mib, bytes - 1};
    enum { count = sizeof places / sizeof places[0] };
    char *code = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int wrong = code == MAP_FAILED;
    for (int i = 0; !wrong && i < count; i++)
        code[places[i]] = (char)RETURNS;
    wrong = wrong || mprotect(code, bytes, PROT_READ | PROT_EXEC) < 0;
    for (int i = 0; !wrong && i < count; i++) {
        wrong = interrupt_at(interrupted, code) != 0 || call(code, places[i]) != 1;
        for (int j = 0; j < count; j++)
            wrong = wrong || call(code, places[j]) != 0;
        if (wrong)
            printf("much code: not so at %lu\n", places[i]);
    }
    if (!wrong)
        printf("much code: interrupted at all %d places\n", count);
    return wrong;
}
