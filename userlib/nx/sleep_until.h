/* SPDX-License-Identifier: MIT */
/* Sleeping until the monotonic clock says so: 0, or -1 and errno; EINTR when a message handler is due, also
 * one that became due before the sleep began. */
#ifndef PARLEY_NX_SLEEP_UNTIL_H
#define PARLEY_NX_SLEEP_UNTIL_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int nx_sleep_until(const struct timespec *end)
{
    return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, end, 0);
}

#endif
