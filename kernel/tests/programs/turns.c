/* SPDX-License-Identifier: MIT */
/* Two nodes by turns on one processor: each wakes the other and waits. Who is interrupted by a policy process
 * goes on before the one that it has woken, and so waits before that one's V: every P waits. Of those that
 * are counted node 1 has begun one before, and begins none at the end. */
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>

enum { rounds = 100 };

int main(void)
{
    const long semaphores[] = {nx_semaphore(0, 0), nx_semaphore(1, 0)};
    const long mine = semaphores[mynode()], others = semaphores[1 - mynode()];
    struct parley_semaphore_counts before, after;
    gsync();
    for (int round = -1; round < rounds; round++) {
        if (round == 0)
            nx_semaphore_counts(&before);
        if (mynode() == 0)
            V(others);
        P(mine);
        if (mynode() == 1)
            V(others);
    }
    if (mynode() == 1)
        return 0;
    nx_semaphore_counts(&after);
    printf("turns: %lu waits in %d rounds\n", after.waits - before.waits, rounds);
    return 0;
}
