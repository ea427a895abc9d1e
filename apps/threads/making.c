/* SPDX-License-Identifier: MIT */
/* Making threads, their ends, and what each has for itself. */
#define _GNU_SOURCE

#include "checks.h"

#include <asm/prctl.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static __thread int own = 5;
static sem_t seen;

static void *answer_place(void *argument)
{
    return (void *)((long)argument + own++);
}

static int are_joined(void)
{
    return in_team(answer_place, (char *)10) == team * 15 + team * (team - 1) / 2 && own == 5;
}

/* Many more than there may be at a time, one after another and in heaps. */
static int are_used_again(void)
{
    for (int i = 0; i < 60; i++)
        if (in_team(answer_place, 0) != team * 5 + team * (team - 1) / 2)
            return 0;
    return 1;
}

static void *exit_deep(void *argument)
{
    pthread_exit(argument);
}

static int exit_with_a_value(void)
{
    return in_team(exit_deep, (char *)7) == team * 7 + team * (team - 1) / 2;
}

static void *tell_and_end(void *argument)
{
    (void)argument;
    sem_post(&seen);
    return 0;
}

static int are_detached(void)
{
    pthread_attr_t detached;
    pthread_t thread;
    sem_init(&seen, 0, 0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 40; i++)
        if (pthread_create(&thread, &detached, tell_and_end, 0))
            return 0;
    for (int i = 0; i < 40; i++)
        sem_wait(&seen);
    return 1;
}

static void *give_id(void *id)
{
    *(pid_t *)id = gettid();
    return 0;
}

static int have_numbers_of_their_own(void)
{
    pid_t id = 0;
    pthread_t thread;
    return !pthread_create(&thread, 0, give_id, &id) && !pthread_join(thread, 0) && gettid() == getpid() &&
           id > 0 && id != getpid();
}

/* The C library keeps a thread's record, which pthread_self() answers, at its thread pointer. */
static void *ask_thread_pointer(void *argument)
{
    unsigned long pointer = 0;
    (void)argument;
    return (void *)(long)(!syscall(SYS_arch_prctl, ARCH_GET_FS, &pointer) &&
                          pointer == (unsigned long)pthread_self());
}

static int know_their_thread_pointers(void)
{
    return in_team(ask_thread_pointer, 0) == team && ask_thread_pointer(0);
}

static void *start_another(void *argument)
{
    pthread_t thread;
    void *answer = 0;
    if (pthread_create(&thread, 0, answer_place, argument) || pthread_join(thread, &answer))
        return (void *)-1000;
    return answer;
}

static int make_threads_themselves(void)
{
    return in_team(start_another, 0) == team * 5 + team * (team - 1) / 2;
}

/* x is not exact in double precision, so rounding is seen. */
static void *compute(void *argument)
{
    double x = 1.0 + (double)(long)argument, first = x;
    for (int i = 1; i < 20000; i++) {
        x = x / 3 + 1;
        if (i % 1000 == 0)
            sched_yield();
    }
    double again = first;
    for (int i = 1; i < 20000; i++)
        again = again / 3 + 1;
    return (void *)(long)(x == again);
}

static int keep_their_registers(void)
{
    return in_team(compute, 0) == team;
}

static void *use_stack(void *argument)
{
    volatile char room[200000];
    for (unsigned long i = 0; i < sizeof room; i += 1000)
        room[i] = (char)(long)argument;
    sched_yield();
    for (unsigned long i = 0; i < sizeof room; i += 1000)
        if (room[i] != (char)(long)argument)
            return 0;
    return (void *)1;
}

static int have_stacks(void)
{
    return in_team(use_stack, (char *)1) == team;
}

static pthread_key_t key;
static int destroyed;

static void destroy(void *value)
{
    __atomic_add_fetch(&destroyed, (int)(long)value, __ATOMIC_SEQ_CST);
}

static void *set_value(void *argument)
{
    pthread_setspecific(key, (char *)argument + 1);
    sched_yield();
    return (void *)(long)(pthread_getspecific(key) == (char *)argument + 1);
}

static int have_values_by_key(void)
{
    destroyed = 0;
    if (pthread_key_create(&key, destroy) || in_team(set_value, 0) != team)
        return 0;
    pthread_key_delete(key);
    return destroyed == team * (team + 1) / 2;
}

static void *wait_for_cancellation(void *argument)
{
    sem_post(argument);
    for (;;)
        pthread_testcancel(), sched_yield();
    return 0;
}

/* At the points where a thread looks whether it is cancelled. What would have to interrupt it needs a signal,
 * which a booted system has not. */
static int are_cancelled_where_they_look(void)
{
    pthread_t thread;
    void *answer;
    sem_init(&seen, 0, 0);
    if (pthread_create(&thread, 0, wait_for_cancellation, &seen))
        return 0;
    sem_wait(&seen);
    pthread_cancel(thread);
    return pthread_join(thread, &answer) == 0 && answer == PTHREAD_CANCELED;
}

static const struct check checks[] = {
    {"threads begin, have variables of their own, and are joined with what they answer", are_joined},
    {"hundreds of threads one after the other", are_used_again},
    {"pthread_exit ends a thread with a value", exit_with_a_value},
    {"detached threads end alone", are_detached},
    {"threads have numbers of their own", have_numbers_of_their_own},
    {"threads know their thread pointers", know_their_thread_pointers},
    {"threads make threads", make_threads_themselves},
    {"threads keep their floating-point registers", keep_their_registers},
    {"threads have stacks of their own", have_stacks},
    {"values by key are a thread's own, and are destroyed with it", have_values_by_key},
    {"threads are cancelled where they look", are_cancelled_where_they_look},
};
const struct check_list making_checks = {checks, sizeof checks / sizeof checks[0]};
