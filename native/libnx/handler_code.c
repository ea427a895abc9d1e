/* SPDX-License-Identifier: MIT */
/* Message handlers on Linux: a signal interrupts the rank. Where it meets the program's own code the handlers
 * run right there, on the program's stack, below the frame that Linux has made; everything comes back from
 * that frame. Where it meets a library, the right to execute is taken from the program's own pages, so that
 * the return into them faults, and the handlers run at that instruction: as the kernel does it
 * (kernel/process/upcall.cpp). Other threads may be at work in these pages: where there are any, the first is
 * followed out of the library instead (way_back.h). */
#define _GNU_SOURCE

#include "userlib/nx/handler_code.h"

#include "interface/errors.h"
#include "native/interface/departure.h"
#include "native/libnx/child.h"
#include "native/libnx/faults.h"
#include "native/libnx/interruption.h"
#include "native/libnx/program_handlers.h"
#include "native/libnx/rank.h"
#include "native/libnx/way_back.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"
#include "userlib/nx/thread_watch.h"

#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Collected by the wrappers' linker script (program.ld); absent in a program that was linked without it. */
extern const char nx_program_start[] __attribute__((weak, visibility("hidden")));
extern const char nx_program_end[] __attribute__((weak, visibility("hidden")));

static struct {
    const char *start, *end;         /* whole pages */
    volatile sig_atomic_t withdrawn; /* these pages cannot be executed just now */
} own;

/* An interruption that has met a library, and that no sleep has been ended by since. */
static volatile sig_atomic_t ends_sleep;

static int is_own(const void *address)
{
    return (const char *)address >= own.start && (const char *)address < own.end;
}

static const void *instruction(const void *context)
{
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static void set_executable(int executable)
{
    own.withdrawn = !executable;
    mprotect((void *)own.start, (size_t)(own.end - own.start), PROT_READ | (executable ? PROT_EXEC : 0));
}

/* Several threads that have been made since the code was hidden may meet it at once. */
static int is_hidden_from(const ucontext_t *context)
{
    enum { fetched = 0x10 };
    return is_own(instruction(context)) &&
           (own.withdrawn || (!__libc_single_threaded && context->uc_mcontext.gregs[REG_ERR] & fetched));
}

/* The handlers run on the program's stack, by the signal that is sent here, and not on the stack of whoever
 * has met the fault. */
static int is_return_into_hidden_code(void *context)
{
    if (!is_hidden_from(context))
        return 0;
    set_executable(1);
    nx_leave_faults(SIGSEGV);
    if (nx_is_rank())
        syscall(SYS_tgkill, getpid(), getpid(), PARLEY_NATIVE_INTERRUPT);
    return 1;
}

/* The end of the rank (departure.c) waits, so that it is never met here above the message library. The
 * program's own code calls nothing of that kind, and its handlers may run for long. */
static void interrupted(int signal, siginfo_t *info, void *context)
{
    (void)info;
    if (!nx_is_rank())
        return;
    if (!nx_is_first_thread()) { /* somebody has sent it to the process */
        syscall(SYS_tgkill, getpid(), getpid(), signal);
    } else if (is_own(instruction(context))) {
        sigprocmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, 0);
        nx_attend();
    } else {
        ends_sleep = 1;
        if (!__libc_single_threaded)
            nx_follow_back(context, is_own);
        else if (nx_take_faults(SIGSEGV, is_return_into_hidden_code))
            set_executable(0);
    }
}

/* The signal is held back between the look at the word and the sleep, and Linux lets it in with the sleep. */
int nx_sleep(int descriptor, const struct timespec *time)
{
    sigset_t interruptions, usual;
    sigemptyset(&interruptions);
    sigaddset(&interruptions, PARLEY_NATIVE_INTERRUPT);
    sigprocmask(SIG_BLOCK, &interruptions, &usual);
    struct pollfd readable = {.fd = descriptor, .events = POLLIN};
    const int found = ends_sleep ? -1 : ppoll(&readable, 1, time, &usual);
    ends_sleep = 0;
    sigprocmask(SIG_SETMASK, &usual, 0);
    return found;
}

static long allow_interruptions(void)
{
    struct sigaction action = {.sa_sigaction = interrupted, .sa_flags = SA_SIGINFO};
    sigaddset(&action.sa_mask, PARLEY_NATIVE_DEPART);
    return nx_set_own_handler(PARLEY_NATIVE_INTERRUPT, &action, 0) < 0 ? -nx_error_bad_argument : 0;
}

/* With the shared libnx the program's own code is all of the main program's; its pages are its own. */
static int take_main_program(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        const unsigned long start = (object->dlpi_addr + segment->p_vaddr) & ~4095ul;
        const unsigned long end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz + 4095) & ~4095ul;
        own.start = (const char *)start;
        own.end = (const char *)end;
    }
    return 1; /* the main program is the first */
}

static void find_own_code(void)
{
    if (own.start)
        return;
    own.start = nx_program_start;
    own.end = nx_program_end;
    if (!own.start)
        dl_iterate_phdr(take_main_program, 0);
    if (is_own((const void *)find_own_code)) /* the static libnx lies in it */
        own.start = own.end = 0;
}

long nx_prepare_interruptions(void)
{
    static int prepared;
    if (prepared)
        return 0;
    find_own_code();
    if (!own.start)
        nx_end(
            "parley: this program was linked with the static libnx and without nxcc, nxc++ or nxf77, so "
            "nobody "
            "knows which code is its own and may be interrupted for handlers: link it with one of these, or "
            "with the shared libnx\n");
    long value = allow_interruptions();
    prepared = value >= 0;
    return value;
}

int nx_is_program_code(const void *address)
{
    find_own_code();
    return is_own(address);
}
