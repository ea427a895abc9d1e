/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/sleep_until.h on Linux, where a signal may come between the look and the sleep. What
 * interrupts for handlers is for the program's first thread. */
#ifndef PARLEY_NX_SLEEP_UNTIL_H
#define PARLEY_NX_SLEEP_UNTIL_H

#include "native/libnx/interruption.h"
#include "userlib/nx/thread_watch.h"

#include <errno.h>
#include <time.h>

static inline int nx_sleep_until(const struct timespec* end)
{
    enum { second = 1000000000 };
    struct timespec now, left;
    if (!nx_is_first_thread()) {
        const int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, end, 0);
        if (error != 0)
            errno = error;
        return error == 0 ? 0 : -1;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    left.tv_sec = end->tv_sec - now.tv_sec;
    left.tv_nsec = end->tv_nsec - now.tv_nsec;
    if (left.tv_nsec < 0) {
        left.tv_nsec += second;
        left.tv_sec--;
    }
    if (left.tv_sec < 0 || nx_sleep(-1, &left) == 0)
        return 0;
    errno = EINTR;
    return -1;
}

#endif
