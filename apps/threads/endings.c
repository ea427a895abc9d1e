/* SPDX-License-Identifier: MIT */
/* How programs with threads end, one way a run. */
#include "endings.h"
#include "checks.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { by_a_thread = 3, at_most = 100000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sleep_for_ever(void *argument)
{
    for (;;)
        sleep(1000);
    return argument;
}

static void *compute_for_ever(void *argument)
{
    for (volatile long i = 0;; i++)
        ;
    return argument;
}

static void *fault(void *argument)
{
    volatile int *volatile nowhere = (volatile int *)24;
    *nowhere = 1;
    return argument;
}

static void *exit_program(void *argument)
{
    exit(by_a_thread);
    return argument;
}

static void *exit_at_once(void *argument)
{
    _exit(by_a_thread);
    return argument;
}

static void *abort_program(void *argument)
{
    abort();
    return argument;
}

static void *lock_twice(void *argument)
{
    pthread_mutex_lock(&lock);
    return argument;
}

static void *send(void *argument)
{
    csend(1, 0, 0, mynode(), mypid());
    return argument;
}

static void *say_goodbye(void *argument)
{
    usleep(20000);
    puts("the last thread has ended");
    return argument;
}

static void with(void *(*work)(void *))
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
}

int end_by(const char *how)
{
    if (!strcmp(how, "return")) { /* with threads that would go on */
        with(sleep_for_ever), with(compute_for_ever);
        usleep(20000);
        return 0;
    }
    if (!strcmp(how, "exit") || !strcmp(how, "_exit")) { /* by a thread */
        with(sleep_for_ever), with(compute_for_ever), with(*how == '_' ? exit_at_once : exit_program);
        sleep(1000);
    }
    if (!strcmp(how, "pthread_exit")) { /* of the first, and the others go on */
        with(say_goodbye);
        pthread_exit(0);
    }
    if (!strcmp(how, "fault")) {
        with(sleep_for_ever), with(fault);
        sleep(1000);
    }
    if (!strcmp(how, "abort")) {
        with(abort_program);
        sleep(1000);
    }
    if (!strcmp(how, "deadlock")) { /* all threads of all nodes */
        pthread_mutex_lock(&lock);
        with(lock_twice), with(lock_twice);
        if (mynode() == 0)
            lock_twice(0);
        crecv(77, 0, 0);
    }
    if (!strcmp(how, "limit")) {
        with(compute_for_ever);
        pthread_mutex_lock(&lock);
        lock_twice(0);
    }
    if (!strcmp(how, "send")) {
        with(send);
        sleep(1000);
    }
    if (!strcmp(how, "too_many")) {
        pthread_attr_t small;
        pthread_t thread;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 16384);
        for (int i = 0; i < at_most; i++)
            if (pthread_create(&thread, &small, sleep_for_ever, 0)) {
                printf("%d threads were made\n", i);
                return i < 100;
            }
    }
    fprintf(stderr, "threads: %s is no way to end\n", how);
    return 2;
}
