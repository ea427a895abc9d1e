/* SPDX-License-Identifier: MIT */
/* Message handlers of a program whose other threads run the same code, or sleep: node 0 does one thing after
 * the other until a handler has come, always in its first thread. */
#include <nx.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { threads = 2, rounds = 10, type_asked = 5, type_ready = 6, type_sent = 7 };
enum { computes, sleeps, waits, is_in_library, holds_back, kinds };

static volatile int handled, elsewhere, over, slept;
static pthread_t first;
static sem_t come;

static void handle(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
    elsewhere += !pthread_equal(pthread_self(), first);
    handled++;
    sem_post(&come);
}

static void *compute(void *argument)
{
    while (!over)
        ;
    return argument;
}

static void *sleep_often(void *argument)
{
    for (; !over; slept++)
        usleep(200);
    return argument;
}

/* The message is here, and the other thread has slept since. */
static void hold_back(void)
{
    crecv(type_sent, 0, 0);
    const int before = slept;
    while (slept < before + 2)
        ;
    masktrap(0);
}

static void await_handler(int round)
{
    char buffer[8], line[64];
    const int kind = round % kinds;
    masktrap(kind == holds_back);
    hrecv(type_asked, buffer, sizeof buffer, handle);
    csend(type_ready, 0, 0, 1, 0);
    if (kind == holds_back)
        hold_back();
    while (handled <= round)
        if (kind == sleeps)
            usleep(1000);
        else if (kind == waits)
            sem_wait(&come);
        else if (kind == is_in_library)
            snprintf(line, sizeof line, "%d", round);
    if (kind != holds_back)
        crecv(type_sent, 0, 0);
}

int main(void)
{
    static void *(*const work[threads])(void *) = {compute, sleep_often};
    pthread_t thread[threads];
    first = pthread_self();
    sem_init(&come, 0, 0);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], 0, work[i], 0))
            return 1;
    for (int round = 0; round < rounds; round++)
        if (mynode() == 0) {
            await_handler(round);
        } else {
            crecv(type_ready, 0, 0);
            csend(type_asked, "asked", 6, 0, 0);
            csend(type_sent, 0, 0, 0, 0);
        }
    over = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    if (mynode() == 0)
        printf("%d handled, %d of them elsewhere\n", handled, elsewhere);
    return 0;
}
