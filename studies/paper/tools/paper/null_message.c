/* SPDX-License-Identifier: MIT */
/* One null message, over and over: a node sends to itself and receives. Instruction-counted on one processor
 * the time-stamp counter moves by one with every instruction, so the rows are instructions. */
#include <nx.h>

enum { rounds = 16, warm = 8 };

static double calls[rounds], sends[rounds], receives[rounds];

int main(void)
{
    char *buffer = nx_alloc(8);
    unsigned long reading = ~0ul;
    for (int i = 0; i < rounds; i++) {
        unsigned long start = nx_cycles(), cost = nx_cycles() - start;
        reading = cost < reading ? cost : reading;
    }
    for (int i = -warm; i < rounds; i++) {
        unsigned long start = nx_cycles();
        nx_null_call();
        double cost = (double)(nx_cycles() - start - reading);
        if (i >= 0)
            calls[i] = cost;
    }
    nx_report("null call", 0, "", "instructions", calls, rounds);
    for (int i = -warm; i < rounds; i++) {
        unsigned long start = nx_cycles();
        csend(1, buffer, 0, 0, 0);
        unsigned long middle = nx_cycles();
        crecv(1, buffer, 8);
        unsigned long end = nx_cycles();
        if (i >= 0) {
            sends[i] = (double)(middle - start - reading);
            receives[i] = (double)(end - middle - reading);
        }
    }
    nx_report("csend", 0, "", "instructions", sends, rounds);
    nx_report("crecv", 0, "", "instructions", receives, rounds);
    return 0;
}
