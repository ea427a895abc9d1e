/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/sleep_until.h on Linux, where a signal may come between the look and the sleep. */
#ifndef PARLEY_NX_SLEEP_UNTIL_H
#define PARLEY_NX_SLEEP_UNTIL_H

#include "native/libnx/interruption.h"

#include <errno.h>
#include <time.h>

static inline int nx_sleep_until(const struct timespec* end)
{
    enum { second = 1000000000 };
    struct timespec now, left;
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
