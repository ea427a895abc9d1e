/* SPDX-License-Identifier: MIT */
#include "userlib/nx/thread_watch.h"

#include "userlib/nx/failure.h"
#include "userlib/nx/handler_watch.h"
#include "userlib/nx/this_process.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    struct nx_short_ways short_ways;
    struct parley_calls calls; /* what was bound before */
    const void *joined;        /* the thread pointer of the thread that has joined */
} watched;

int nx_is_first_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

/* Not by nx_end, which leaves the message system as the one who has joined. */
static _Noreturn void refuse(void)
{
    char line[300];
    snprintf(line, sizeof line,
             "parley: node %d, pid %d: a call of NX/2 was made in another thread than the one that joined, "
             "the program's first, and only that may: let it send and receive for the others\n",
             nx_process.node, nx_process.pid);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        _exit(1);
    _exit(1);
}

static inline __attribute__((always_inline)) void check_thread(void)
{
    if (__builtin_expect(__builtin_thread_pointer() != watched.joined, 0))
        refuse();
}

static void watched_csend(long type, const void *buffer, long length, long node, long pid)
{
    check_thread();
    watched.short_ways.csend(type, buffer, length, node, pid);
}

static void watched_crecv(long typesel, void *buffer, long maximum)
{
    check_thread();
    watched.short_ways.crecv(typesel, buffer, maximum);
}

static void watched_crecvp(long typesel, void **buffer, long maximum)
{
    check_thread();
    watched.short_ways.crecvp(typesel, buffer, maximum);
}

/* Any message call, as in handler_watch.c. */
typedef struct parley_receive_status (*any_call)(void *self, long, long, long, long, long);

#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)                                   \
    static struct parley_receive_status watched_##name(void *self, long a, long b, long c, long d, long e) \
    {                                                                                                      \
        check_thread();                                                                                    \
        return ((any_call)(void (*)(void))watched.calls.name)(self, a, b, c, d, e);                        \
    }
#include "interface/calls.def"

static void watch_calls(struct parley_calls *calls)
{
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    calls->name = (parley_answer_##answer(*)(void *, PARLEY_WORDS parameters))(void (*)(void))watched_##name;
#include "interface/calls.def"
}

/* The first call comes when there is no other thread. */
void nx_watch_threads(void)
{
    if (watched.joined)
        return;
    nx_end_handler_watch(); /* a handler that makes threads is no longer watched, for it binds in turn */
    watched.short_ways = nx_process.short_ways;
    watched.calls = nx_process.calls;
    watched.joined = __builtin_thread_pointer();
    nx_process.short_ways = (struct nx_short_ways){watched_csend, watched_crecv, watched_crecvp};
    watch_calls(&nx_process.calls);
}
