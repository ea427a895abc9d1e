/* SPDX-License-Identifier: MIT */
/* Message handlers of a program whose other threads run the same code: node 0 computes, sleeps, or waits at a
 * semaphore, until each has come. */
#include <nx.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { threads = 2, rounds = 6, type_asked = 5, type_ready = 6 };

static volatile int handled, over;
static sem_t come;

static void handle(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
    handled++;
    sem_post(&come);
}

static void *compute(void *argument)
{
    while (!over)
        ;
    return argument;
}

static void await_handler(int round)
{
    char buffer[8];
    hrecv(type_asked, buffer, sizeof buffer, handle);
    csend(type_ready, 0, 0, 1, 0);
    while (handled <= round)
        if (round % 3 == 1)
            usleep(1000);
        else if (round % 3 == 2)
            sem_wait(&come);
}

int main(void)
{
    pthread_t thread[threads];
    sem_init(&come, 0, 0);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], 0, compute, 0))
            return 1;
    for (int round = 0; round < rounds; round++)
        if (mynode() == 0) {
            await_handler(round);
        } else {
            crecv(type_ready, 0, 0);
            csend(type_asked, "asked", 6, 0, 0);
        }
    over = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    if (mynode() == 0)
        printf("%d handled\n", handled);
    return 0;
}
