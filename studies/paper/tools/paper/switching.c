/* SPDX-License-Identifier: MIT */
/* What a context switch costs: two nodes on one processor play ping-pong and block, so each message ends in a
 * switch to the other. From half a round trip the same csend and crecv without a switch (a node to itself)
 * are taken away; what is left is blocking, waking and switching, once each. */
#include <nx.h>

enum { samples = 24, trips = 16, warm = 4 };

static double halves[samples], calls[samples], switches[samples];

static void ping_pong(char *buffer)
{
    long other = 1 - mynode();
    if (mynode() == 0) {
        csend(1, buffer, 0, other, 0);
        crecv(1, buffer, 8);
    } else {
        crecv(1, buffer, 8);
        csend(1, buffer, 0, other, 0);
    }
}

static double nanoseconds(unsigned long cycles, long count)
{
    return 1e9 * (double)cycles / nx_cycles_per_second() / (double)count;
}

int main(void)
{
    char *buffer = nx_alloc(8);
    for (int i = -warm; i < samples; i++) {
        unsigned long start = nx_cycles();
        for (int trip = 0; trip < trips; trip++)
            ping_pong(buffer);
        unsigned long middle = nx_cycles();
        for (int trip = 0; trip < trips; trip++) {
            csend(2, buffer, 0, mynode(), 0);
            crecv(2, buffer, 8);
        }
        unsigned long end = nx_cycles();
        if (i < 0)
            continue;
        halves[i] = nanoseconds(middle - start, 2 * trips);
        calls[i] = nanoseconds(end - middle, trips);
        switches[i] = halves[i] - calls[i];
    }
    if (mynode() == 0) {
        nx_report("half a round trip", 0, "", "ns", halves, samples);
        nx_report("csend and crecv", 0, "", "ns", calls, samples);
        nx_report("context switch", 0, "", "ns", switches, samples);
    }
    return 0;
}
