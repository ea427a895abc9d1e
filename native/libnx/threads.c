/* SPDX-License-Identifier: MIT */
/* Threads that the program makes, also by libraries: its pthread_create is this one, before the C library's.
 * */
#define _GNU_SOURCE

#include "native/libnx/rank.h"
#include "userlib/nx/this_process.h"
#include "userlib/nx/thread_watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

typedef int (*creation)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Whether the caller runs on the one processor that nxrun has given the rank, and on no other: then `own`
 * says so to Linux, and `all` names those that nxrun may use. */
static int has_given_processor(cpu_set_t *own, const cpu_set_t **all)
{
    if (!nx_process.start || sched_getaffinity(0, sizeof *own, own) < 0)
        return 0;
    const struct parley_native_job *job = nx_native_job();
    const int given = job->places[nx_process.start->endpoint].processor;
    _Static_assert(sizeof job->processors == sizeof **all, "as Linux has them");
    *all = (const cpu_set_t *)job->processors;
    return given >= 0 && CPU_COUNT(own) == 1 && CPU_ISSET(given, own);
}

/* A new thread runs where its maker does. On the rank's one processor they would wait for each other. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    creation create = 0;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    if (!create)
        return EAGAIN;
    nx_watch_threads();
    cpu_set_t own;
    const cpu_set_t *all = 0;
    const int is_given = has_given_processor(&own, &all);
    if (is_given)
        sched_setaffinity(0, sizeof *all, all);
    const int error = create(thread, attributes, work, argument);
    if (is_given)
        sched_setaffinity(0, sizeof own, &own);
    return error;
}
