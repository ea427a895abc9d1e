/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

#include "native/libnx/way_back.h"

#include "native/interface/native_job.h"
#include "native/libnx/child.h"
#include "native/libnx/faults.h"
#include "native/libnx/library_code.h"
#include "native/libnx/program_handlers.h"
#include "userlib/nx/handlers.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Many more than the C library takes to return from a wait in Linux that was interrupted. */
enum { most_steps = 500 };
/* A step can take fifty microseconds where a hypervisor has a part in it: on a long way the program has twice
 * the time that the steps have taken for itself. */
enum { times_for_itself = 2, least_nanoseconds = 1000000, second = 1000000000 };
enum { single_step = 0x100 }; /* among the processor's flags */
enum { tick_signal = 62 };    /* of real time's, the one before PARLEY_NATIVE_DEPART */

static struct {
    int (*is_own)(const void *address);
    int steps;                /* that are left */
    unsigned long attentions; /* when the interruption came */
    struct timespec began;
    int has_timer;
    int timer;
} way;

/* A signal of its own, for of two that are the same and wait Linux forgets one. What is raised here comes
 * when the handler returns, as in is_step(). */
static void ticked(int number)
{
    (void)number;
    if (nx_is_rank() && nx_attentions() == way.attentions)
        raise(PARLEY_NATIVE_INTERRUPT);
}

/* By Linux's own calls, which a signal handler may make. */
static int make_timer(void)
{
    struct sigaction action = {.sa_handler = ticked}; /* and it ends a wait in Linux */
    sigfillset(&action.sa_mask);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = tick_signal};
    event._sigev_un._tid = getpid();
    return nx_set_own_handler(tick_signal, &action, 0) == 0 &&
           syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &way.timer) == 0;
}

static long nanoseconds_taken(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - way.began.tv_sec) * second + now.tv_nsec - way.began.tv_nsec;
}

/* Without a timer the next interruption looks. */
static void tick_later(void)
{
    const long time_for_itself = least_nanoseconds + times_for_itself * nanoseconds_taken();
    const struct itimerspec time = {.it_value = {time_for_itself / second, time_for_itself % second}};
    if (!way.has_timer)
        way.has_timer = make_timer();
    if (way.has_timer)
        syscall(SYS_timer_settime, way.timer, 0, &time, NULL);
}

/* Whether this instruction asks something of Linux, which may take long, or may hold back the signal that a
 * step is; or is the message library's, which others may be waiting for, and which looks itself when one of
 * its waits has been interrupted. */
static int goes_by_itself(const unsigned char *instruction)
{
    const int asks_linux = instruction[0] == 0x0f && instruction[1] == 0x05;
    return asks_linux || nx_is_library_code(instruction);
}

/* Whether the fault is a step of the thread that is followed; no other thread has that flag set. */
static int is_step(void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (!(registers[REG_EFL] & single_step))
        return 0;
    const void *instruction = (const void *)registers[REG_RIP];
    const int arrived = way.is_own(instruction);
    if (!arrived && --way.steps > 0 && !goes_by_itself(instruction))
        return 1;
    registers[REG_EFL] &= ~(greg_t)single_step;
    nx_leave_faults(SIGTRAP);
    if (arrived)
        raise(PARLEY_NATIVE_INTERRUPT);
    else
        tick_later();
    return 1;
}

void nx_follow_back(void *context, int (*is_own)(const void *address))
{
    ucontext_t *at = context;
    greg_t *registers = at->uc_mcontext.gregs;
    const void *instruction = (const void *)registers[REG_RIP];
    way.is_own = is_own;
    way.attentions = nx_attentions();
    clock_gettime(CLOCK_MONOTONIC, &way.began);
    if (goes_by_itself(instruction) || sigismember(&at->uc_sigmask, SIGTRAP) ||
        !nx_take_faults(SIGTRAP, is_step)) {
        tick_later();
        return;
    }
    way.steps = most_steps;
    registers[REG_EFL] |= single_step;
}
