/* SPDX-License-Identifier: MIT */
/* A node of semaphores_host.c: waits once, and may be ended while it does. */
#include "semaphores.h"

#include <nx.h>
#include <nx_semaphores.h>

int main(void)
{
    long round;
    crecv(type_round, &round, sizeof round);
    const long gate = nx_semaphore(round, 0);
    csend(type_ready, 0, 0, myhost(), 0);
    P(gate);
    return 0;
}
