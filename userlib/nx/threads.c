/* SPDX-License-Identifier: MIT */
/* Threads that the program makes: its pthread_create is this one, before the C library's. */
#include "userlib/nx/thread_watch.h"

#include <pthread.h>

/* The C library's, by the name that it does not leave to others. */
int __pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                     void *argument);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    nx_watch_threads();
    return __pthread_create(thread, attributes, work, argument);
}
