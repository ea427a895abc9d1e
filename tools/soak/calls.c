/* SPDX-License-Identifier: MIT */
/* Calls of the kernel with arguments that no program would give: calls SEED COUNT. Linux calls, proxies, and
 * NX/2 through the library; what is asked for is mostly nonsense, and nothing but this program may suffer. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "interface/proxies.h"
#include "interface/start_info.h"

static const struct parley_start *start;
static char *scratch;
enum { scratch_bytes = 1 << 20, drain_every = 64 };

static unsigned long state;
static unsigned long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static unsigned long below(unsigned long end)
{
    return next() % end;
}

static long call(long number, const long *arguments)
{
    long value = number;
    register long r10 __asm__("r10") = arguments[3];
    register long r8 __asm__("r8") = arguments[4];
    register long r9 __asm__("r9") = arguments[5];
    long rdx = arguments[2];
    __asm__ volatile("syscall"
                     : "+a"(value), "+d"(rdx), "+r"(r10), "+r"(r8), "+r"(r9)
                     : "D"(arguments[0]), "S"(arguments[1])
                     : "rcx", "r11", "memory");
    return value;
}

/* Addresses: mostly where it does no harm, else where nobody may look. */
static long address(void)
{
    static const unsigned long odd[] = {0,
                                        8,
                                        0xfff,
                                        0x10000,
                                        0x7fffffff0000,
                                        0x7ffffffffff8,
                                        0x800000000000,
                                        0xffff800000000000,
                                        0xffffffff80100000,
                                        0xfffffffffffffff8,
                                        PARLEY_LIBRARY_BASE,
                                        PARLEY_SHARED_BASE};
    if (below(4) != 0)
        return (long)(scratch + below(scratch_bytes));
    return (long)(odd[below(sizeof odd / sizeof *odd)] + (below(2) ? 0 : below(8192)));
}

static long number(void)
{
    static const long odd[] = {0,
                               1,
                               -1,
                               2,
                               3,
                               7,
                               8,
                               64,
                               255,
                               4095,
                               4096,
                               65536,
                               1L << 20,
                               1L << 31,
                               -(1L << 31),
                               1L << 40,
                               1L << 47,
                               1L << 62,
                               0x7fffffffffffffffL,
                               (long)(1UL << 63)};
    switch (below(3)) {
    case 0: return (long)below(16);
    case 1: return odd[below(sizeof odd / sizeof *odd)];
    default: return (long)(next() >> below(64));
    }
}

static long anything(void)
{
    return below(2) ? address() : number();
}

/* Those that end or stop the caller, or take its memory away, would only end the test. */
static int is_wanted(long linux_call)
{
    static const int unwanted[] = {11,  9,   10, 12, 25,  34,  35, 60,  230, 231,
                                   158, 202, 7,  23, 270, 271, 62, 200, 234};
    for (unsigned i = 0; i < sizeof unwanted / sizeof *unwanted; ++i) {
        if (linux_call == unwanted[i])
            return below(20000) == 0;
    }
    return 1;
}

static void linux_call(void)
{
    long arguments[6];
    const long which = (long)below(450);
    if (!is_wanted(which))
        return;
    for (int i = 0; i < 6; ++i)
        arguments[i] = anything();
    if (which == 1 || which == 18 || which == 20) /* not the user's terminal */
        arguments[0] = 3 + (long)below(10);
    call(which, arguments);
}

/* Memory calls where they do no harm: inside the scratch memory. */
static void memory_call(void)
{
    char *const page = scratch + below(scratch_bytes / 4096) * 4096;
    const unsigned long bytes = (1 + below(8)) * 4096;
    const int rights[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
    if (page + bytes > scratch + scratch_bytes)
        return;
    mprotect(page, bytes, rights[below(3)]);
    if (below(8) == 0)
        munmap(page, bytes);
    mmap(page, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void proxy_call(void)
{
    static const struct {
        int method;
        int rare; /* waits for others, or ends them */
    } methods[] = {{0, 8},      {1, 1},      {2, 2000},   {3, 2000},  {4, 1},      {5, 1},       {6, 2000},
                   {7, 1},      {8, 1},      {9, 1},      {10, 1},    {11, 1},     {16, 100000}, {24, 1},
                   {25, 20000}, {26, 1},     {27, 1},     {28, 5000}, {29, 20000}, {30, 20000},  {40, 50},
                   {41, 20000}, {42, 20000}, {43, 20000}, {44, 50},   {63, 1},     {12, 1},      {4000, 1}};
    const unsigned which = (unsigned)below(sizeof methods / sizeof *methods);
    if (below((unsigned long)methods[which].rare) != 0)
        return;
    const unsigned proxies[] = {start->messages_proxy, start->results_proxy, start->process_proxy,
                                start->gangs_proxy, start->job_proxy};
    long arguments[6];
    arguments[0] = below(8) == 0 ? anything() : (long)proxies[below(5)];
    for (int i = 1; i < 6; ++i)
        arguments[i] = anything();
    if (methods[which].method < 9 && below(2) == 0) { /* nearly right */
        arguments[0] = start->messages_proxy;
        arguments[1] = (long)below(100);
        arguments[3] = (long)below(5000);
        arguments[4] = (long)below((unsigned long)start->nodes);
        arguments[5] = (long)below(2) << 32;
    }
    if (methods[which].method == 8 && below(5000) != 0) /* a probe that does not wait */
        arguments[2] = 0;
    call(PARLEY_PROXY_BASE + methods[which].method, arguments);
}

static void nx_call(void)
{
    const long type = number(), bytes = below(4) ? (long)below(5000) : number();
    const long node = below(4) ? (long)below((unsigned long)numnodes()) : number();
    char *const buffer = (char *)address();
    switch (below(12)) {
    case 0: _isend(type, buffer, bytes, node, (long)below(2)); break;
    case 1: _irecv(type, buffer, bytes); break;
    case 2: _irecvx(type, buffer, bytes, node, number(), (long *)address()); break;
    case 3: _msgdone(number()); break;
    case 4: _msgcancel(number()); break;
    case 5: _msgignore(number()); break;
    case 6: _msgmerge(number(), number()); break;
    case 7: _iprobe(type); break;
    case 8: _iprobex(type, node, number(), (long *)address()); break;
    case 9: _flushmsg(type, node, number()); break;
    case 10: _setptype(number()); break;
    default: infotype();
    }
}

/* What has come is taken, so that the budget never stays used up. */
static void drain(void)
{
    static char buffer[8192];
    while (_iprobe(-1) == 1) {
        if (_crecv(-1, buffer, sizeof buffer) == -1) { /* too long for it */
            _flushmsg(-1, -1, -1);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    start = (const struct parley_start *)getauxval(PARLEY_AT_START);
    state = strtoul(argv[1], 0, 0) * 2654435761u + (unsigned long)mynode() * 40503 + 1;
    const long count = atol(argv[2]);
    scratch = mmap(0, scratch_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long i = 1; i <= count; ++i) {
        switch (below(8)) {
        case 0:
        case 1:
        case 2: linux_call(); break;
        case 3: memory_call(); break;
        case 4:
        case 5:
        case 6: proxy_call(); break;
        default: nx_call();
        }
        if (i % drain_every == 0)
            drain();
        if (i % 1000 == 0 || i == count)
            nx_report("calls", 0, "none", "calls", &(double){(double)i}, 1);
    }
    return 0;
}
