/* SPDX-License-Identifier: MIT */
/* Threads that the program makes, also by libraries: its pthread_create is this one, before the C library's.
 * */
#define _GNU_SOURCE

#include "userlib/nx/thread_watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

typedef int (*creation)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    creation create = 0;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    if (!create)
        return EAGAIN;
    nx_watch_threads();
    return create(thread, attributes, work, argument);
}
