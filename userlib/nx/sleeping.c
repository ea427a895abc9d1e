/* SPDX-License-Identifier: MIT */
/* The C library's sleeps, for programs with handlers: these run when they are due, and the sleep goes on.
 * libnx stands before the C library on the linker's command line, so these functions are found first; also by
 * threads that have nothing to do with handlers. */
#include "userlib/nx/handlers.h"
#include "userlib/nx/sleep_until.h"
#include "userlib/nx/thread_watch.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

static int sleep_for(struct timespec time)
{
    struct timespec end;
    nx_attend_if_due();
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += time.tv_sec + (end.tv_nsec + time.tv_nsec) / second;
    end.tv_nsec = (end.tv_nsec + time.tv_nsec) % second;
    while (nx_sleep_until(&end) < 0) {
        if (errno != EINTR)
            return -1;
        if (nx_is_first_thread())
            nx_attend_in_call();
    }
    return 0;
}

unsigned sleep(unsigned seconds)
{
    sleep_for((struct timespec){seconds, 0});
    return 0;
}

int usleep(useconds_t microseconds)
{
    return sleep_for((struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000l});
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left; /* nothing is ever left */
    if (time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < second)
        return sleep_for(*time);
    errno = EINVAL;
    return -1;
}
