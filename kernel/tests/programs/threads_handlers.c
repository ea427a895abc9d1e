/* SPDX-License-Identifier: MIT */
/* Message handlers of a program whose other threads run the same code: node 0 computes, or sleeps, until each
 * has come. */
#include <nx.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { threads = 2, rounds = 4, type_asked = 5, type_ready = 6 };

static volatile int handled, over;

static void handle(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
    handled++;
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
        if (round % 2)
            usleep(1000);
}

int main(void)
{
    pthread_t thread[threads];
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
