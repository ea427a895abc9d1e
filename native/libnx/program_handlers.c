/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

#include "native/libnx/program_handlers.h"

#include "native/interface/departure.h"
#include "native/interface/native_job.h"
#include "native/libnx/child.h"
#include "native/libnx/library_code.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

typedef void (*information_handler)(int number, siginfo_t *info, void *context);

enum { signal_numbers = 65 };

/* Linux gives every handler three arguments, and one that takes fewer does not see the others. */
static information_handler volatile handlers[signal_numbers];

/* What libnx is bound to when it is open. */
static struct {
    struct parley_calls calls;
    const struct parley_library *library;
    volatile sig_atomic_t waits; /* it is closed */
} bound;

/* The C library's, by the name that it does not leave to others. */
int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

int nx_set_own_handler(int number, const struct sigaction *action, struct sigaction *before)
{
    return __sigaction(number, action, before);
}

/* Others wait for what the library holds, so the job cannot go on: a signal ends it. The endpoint cannot be
 * closed, and a core file of this moment would show nobody what has happened. No handler runs any more: it
 * might jump out of this, too. */
static _Noreturn void refuse(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, 0);
    char line[400];
    snprintf(line, sizeof line,
             "parley: %s: a handler of a signal has interrupted the message library and has not "
             "returned to it: it has jumped out (longjmp), called NX/2 or ended the program, and what the "
             "library had locked stays locked. Let such a handler set a variable and return\n",
             nx_own_name().text);
    fflush(0);
    (void)!write(STDERR_FILENO, line, strlen(line));
    prctl(PR_SET_DUMPABLE, 0);
    nx_set_own_handler(SIGABRT, &(struct sigaction){.sa_handler = SIG_DFL}, 0);
    abort();
}

static const struct parley_calls closed_calls = {
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    .name = (parley_answer_##answer(*)(void *, PARLEY_WORDS parameters))refuse,
#include "interface/calls.def"
};

static const struct parley_library closed_library = {
    .version = PARLEY_LIBRARY_VERSION,
    .reopen = (long (*)(struct parley_process *, long, long))refuse,
    .reset = (long (*)(struct parley_process *, long, long, long, long))refuse,
    .set_pid = (long (*)(struct parley_process *, long, long))refuse,
    .close = (void (*)(struct parley_process *))refuse,
};

void nx_refuse_above_library(void)
{
    if (__builtin_expect(bound.waits, 0))
        refuse();
}

static void stand_before(int number, siginfo_t *info, void *context);

/* When several signals are due at once, Linux lets the next one interrupt each handler at its first
 * instruction, so the last handler runs first. The third argument of an interrupted handler, still in its
 * register, is the context that the handler would have seen itself. */
static int is_above_library(const ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    while ((void *)registers[REG_RIP] == (void *)stand_before)
        registers = ((const ucontext_t *)registers[REG_RDX])->uc_mcontext.gregs;
    return nx_is_library_code((const void *)registers[REG_RIP]);
}

/* Message handlers and the rank's end wait as well: either would call the library, or leave it. Linux lets
 * them in again with the return into it. */
static void call_above_library(information_handler handler, int number, siginfo_t *info, void *context)
{
    sigset_t libnx;
    sigemptyset(&libnx);
    sigaddset(&libnx, PARLEY_NATIVE_INTERRUPT);
    sigaddset(&libnx, PARLEY_NATIVE_DEPART);
    pthread_sigmask(SIG_BLOCK, &libnx, 0);
    bound.calls = nx_process.calls;
    bound.library = nx_process.library;
    bound.waits = 1;
    nx_process.calls = closed_calls;
    nx_process.library = &closed_library;
    handler(number, info, context);
    if (!nx_is_rank())
        return; /* a child of the handler's: it is bound to nothing of its parent's (child.c) */
    nx_process.calls = bound.calls;
    nx_process.library = bound.library;
    bound.waits = 0;
}

static void stand_before(int number, siginfo_t *info, void *context)
{
    const information_handler handler = handlers[number];
    if (!bound.waits && is_above_library(context) && nx_is_rank())
        call_above_library(handler, number, info, context);
    else
        handler(number, info, context);
}

static int can_have_handler(int number)
{
    return number > 0 && number < signal_numbers;
}

static int is_handler(sighandler_t handler)
{
    return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR && handler != SIG_HOLD;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (!can_have_handler(number))
        return __sigaction(number, action, before);
    const information_handler handler = handlers[number];
    struct sigaction ours;
    if (action) {
        ours = *action;
        if (is_handler(action->sa_handler)) {
            handlers[number] = action->sa_sigaction;
            ours.sa_sigaction = stand_before;
        }
    }
    const int value = __sigaction(number, action ? &ours : 0, before);
    if (value < 0)
        handlers[number] = handler;
    else if (before && before->sa_sigaction == stand_before)
        before->sa_sigaction = handler;
    return value;
}

/* By the C library's other name for it, which knows of siginterrupt(). */
sighandler_t signal(int number, sighandler_t handler)
{
    if (!can_have_handler(number))
        return ssignal(number, handler);
    const information_handler known = handlers[number];
    if (is_handler(handler)) {
        handlers[number] = (information_handler)(void *)handler;
        handler = (sighandler_t)(void *)stand_before;
    }
    const sighandler_t before = ssignal(number, handler);
    if (before == SIG_ERR)
        handlers[number] = known;
    return before == (sighandler_t)(void *)stand_before ? (sighandler_t)(void *)known : before;
}

/* What signal() is in a program that is compiled as plain standard C. */
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    struct sigaction before;
    const struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    return sigaction(number, &action, &before) < 0 ? SIG_ERR : before.sa_handler;
}

sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return __sysv_signal(number, handler);
}

sighandler_t bsd_signal(int number, sighandler_t handler); /* the newer headers have it no more */
sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

/* Of System V: who sets a handler lets the signal in, and one that was held back is said to have been. */
sighandler_t sigset(int number, sighandler_t handler)
{
    sigset_t one, before;
    struct sigaction found;
    sigemptyset(&one);
    if (sigaddset(&one, number) < 0)
        return SIG_ERR;
    const int holds = handler == SIG_HOLD;
    const struct sigaction action = {.sa_handler = handler};
    if (sigaction(number, holds ? 0 : &action, &found) < 0 ||
        sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &one, &before) < 0)
        return SIG_ERR;
    return sigismember(&before, number) ? SIG_HOLD : found.sa_handler;
}
