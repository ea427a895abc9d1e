/* SPDX-License-Identifier: MIT */
/* Waiting for each other: locks, conditions, barriers, semaphores, and waits that end by the clock. */
#include "checks.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

enum { rounds = 2000, meetings = 50 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meeting;
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile long counted;
static int turn, begun;

static void *count(void *argument)
{
    (void)argument;
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        counted = counted + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static int locks_exclude(void)
{
    counted = 0;
    return in_team(count, 0) == 0 && counted == (long)team * rounds;
}

static void *take_turns(void *argument)
{
    for (int i = 0; i < meetings; i++) {
        pthread_mutex_lock(&lock);
        while (turn % team != (int)(long)argument)
            pthread_cond_wait(&changed, &lock);
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static int conditions_wake(void)
{
    turn = 0;
    return in_team(take_turns, 0) == 0 && turn == team * meetings;
}

static void *meet(void *argument)
{
    (void)argument;
    long last = 0;
    for (int i = 0; i < meetings; i++) {
        __atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
        last += pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD;
        if (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) < team * (i + 1))
            return (void *)100000;
        pthread_barrier_wait(&meeting);
    }
    return (void *)last;
}

static int barriers_hold(void)
{
    turn = 0;
    pthread_barrier_init(&meeting, 0, team);
    return in_team(meet, 0) == meetings && pthread_barrier_destroy(&meeting) == 0;
}

static void *read_and_write(void *argument)
{
    long wrong = 0;
    for (int i = 0; i < rounds / 10; i++) {
        if ((i + (long)argument) % 3 == 0) {
            pthread_rwlock_wrlock(&shared_lock);
            counted++, turn++;
        } else {
            pthread_rwlock_rdlock(&shared_lock);
            wrong += counted != turn;
        }
        pthread_rwlock_unlock(&shared_lock);
    }
    return (void *)wrong;
}

static int readers_share(void)
{
    counted = turn = 0;
    return in_team(read_and_write, 0) == 0 && counted > 0;
}

static void begin_once(void)
{
    begun++;
}

static void *begin(void *argument)
{
    (void)argument;
    pthread_once(&once, begin_once);
    return (void *)(long)begun;
}

static int once_is_once(void)
{
    return in_team(begin, 0) == team && begun == 1;
}

static struct timespec in_milliseconds(long milliseconds)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static int is_over(struct timespec time)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec);
}

static int waits_end_by_the_clock(void)
{
    sem_t never;
    sem_init(&never, 0, 0);
    struct timespec soon = in_milliseconds(30);
    if (sem_timedwait(&never, &soon) != -1 || errno != ETIMEDOUT || !is_over(soon))
        return 0;
    pthread_mutex_lock(&lock);
    soon = in_milliseconds(30);
    int result = pthread_cond_timedwait(&changed, &lock, &soon);
    pthread_mutex_unlock(&lock);
    return result == ETIMEDOUT && is_over(soon);
}

static void *post_later(void *semaphore)
{
    struct timespec moment = {0, 20000000};
    nanosleep(&moment, 0);
    sem_post(semaphore);
    return 0;
}

static int are_woken_before_their_time(void)
{
    sem_t soon;
    pthread_t thread;
    sem_init(&soon, 0, 0);
    struct timespec late = in_milliseconds(60000);
    if (pthread_create(&thread, 0, post_later, &soon))
        return 0;
    return sem_timedwait(&soon, &late) == 0 && !is_over(late) && pthread_join(thread, 0) == 0;
}

static const struct check checks[] = {
    {"one thread at a time holds a lock", locks_exclude},
    {"conditions wake whose turn it is", conditions_wake},
    {"barriers hold all until the last has come", barriers_hold},
    {"readers share a lock, and writers have it alone", readers_share},
    {"pthread_once runs once", once_is_once},
    {"waits end when their time has come", waits_end_by_the_clock},
    {"waits end before their time when they are over", are_woken_before_their_time},
};
const struct check_list waiting_checks = {checks, sizeof checks / sizeof checks[0]};
