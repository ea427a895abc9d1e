/* SPDX-License-Identifier: MIT */
/* The host: in each round the nodes wait at a semaphore, and one of them is ended while it does; the others
 * go on by as many Vs as they are, and by what was meant for the one that ended. Node programs:
 * semaphores_node.c. */
#include "semaphores.h"

#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>

enum { rounds = 12 };

/* Until all nodes wait: they have said that they are about to. */
static void await_waiters(unsigned long before)
{
    struct parley_semaphore_counts counts;
    for (long node = 0; node < numnodes(); node++)
        crecv(type_ready, 0, 0);
    for (nx_semaphore_counts(&counts); counts.waits - before < (unsigned long)numnodes(); flick())
        nx_semaphore_counts(&counts);
}

int main(void)
{
    for (long round = 0; round < rounds; round++) {
        const long gate = nx_semaphore(round, 0), victim = round % numnodes();
        struct parley_semaphore_counts before;
        nx_semaphore_counts(&before);
        load("semaphores_node", -1, 0);
        csend(type_round, &round, sizeof round, -1, 0);
        await_waiters(before.waits);
        if (round % 2)
            V(gate); /* for the victim, perhaps, which ends well or leaves it to the next */
        killcube(victim, 0);
        for (long node = 1; node < numnodes(); node++)
            V(gate);
        waitall(-1, -1);
    }
    printf("semaphores_host: %d rounds\n", rounds);
    return 0;
}
