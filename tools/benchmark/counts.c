/* SPDX-License-Identifier: MIT */
/* How many instructions csend and crecv take: one node sends to itself and receives. Runs instruction-counted
 * on one processor, where the time-stamp counter moves by one with every instruction. */
#include <nx.h>

enum { rounds = 64, largest = 100 };

static double sends[rounds], receives[rounds];

static unsigned long reading_cost(void)
{
    unsigned long least = ~0ul;
    for (int i = 0; i < rounds; i++) {
        unsigned long start = nx_cycles(), cost = nx_cycles() - start;
        least = cost < least ? cost : least;
    }
    return least;
}

static void count(long bytes, char *to_send, char *to_receive)
{
    unsigned long reading = reading_cost();
    for (int i = -8; i < rounds; i++) { /* the first ones warm up */
        unsigned long start = nx_cycles();
        csend(1, to_send, bytes, 0, 0);
        unsigned long middle = nx_cycles();
        crecv(1, to_receive, largest);
        unsigned long end = nx_cycles();
        if (i >= 0) {
            sends[i] = (double)(middle - start - reading);
            receives[i] = (double)(end - middle - reading);
        }
    }
    nx_report("csend", bytes, "", "instructions", sends, rounds);
    nx_report("crecv", bytes, "", "instructions", receives, rounds);
}

int main(void)
{
    char *to_send = nx_alloc(largest), *to_receive = nx_alloc(largest);
    if (!to_send || !to_receive)
        return 1;
    count(0, to_send, to_receive);
    count(100, to_send, to_receive);
    return 0;
}
