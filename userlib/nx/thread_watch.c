/* SPDX-License-Identifier: MIT */
#include "userlib/nx/thread_watch.h"

#include "userlib/nx/failure.h"
#include "userlib/nx/handler_watch.h"

#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

static const void *joined; /* the thread pointer of the thread that has joined */

int nx_is_first_thread(void)
{
    return __libc_single_threaded || syscall(SYS_gettid) == getpid();
}

/* Not by nx_end, which leaves the message system as the one who has joined. */
static _Noreturn void refuse(void)
{
    char line[300];
    snprintf(line, sizeof line,
             "parley: %s: a call of NX/2 was made in another thread than the one that joined, "
             "the program's first, and only that may: let it send and receive for the others\n",
             nx_own_name().text);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        _exit(1);
    _exit(1);
}

static inline __attribute__((always_inline)) void check_caller(void)
{
    if (__builtin_expect(__builtin_thread_pointer() != joined, 0))
        refuse();
}

void nx_refuse_other_threads(void)
{
    if (__builtin_expect(joined != 0, 0))
        check_caller();
}

#include "userlib/nx/watched_calls.h"

/* The first call comes when there is no other thread. */
void nx_watch_threads(void)
{
    if (joined)
        return;
    nx_end_handler_watch(); /* a handler that makes threads is no longer watched, for it binds in turn */
    joined = __builtin_thread_pointer();
    watch_calls();
}
