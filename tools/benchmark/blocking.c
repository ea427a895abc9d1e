/* SPDX-License-Identifier: MIT */
/* What a hand-over costs whose taker blocks: two nodes on one processor, each of which gives the other its
 * turn by V and blocks in P. Half a round trip is a V, a P that blocks, and the switch to the other. Beside
 * it, what a switch is: both give the processor away, and nothing else. Each is a loop of its own: what one
 * does between two loops of hand-overs, the other's P waits for. */
#include <nx.h>
#include <nx_semaphores.h>

enum { samples = 24, trips = 16, warm = 4 };

static double halves[samples], calls[samples], switches[samples];

static double nanoseconds(unsigned long cycles, long count)
{
    return 1e9 * (double)cycles / nx_cycles_per_second() / (double)count;
}

int main(void)
{
    const long turn[] = {nx_semaphore(0, 0), nx_semaphore(1, 0)}, own = nx_semaphore(2 + mynode(), 0);
    const long me = mynode();
    for (int i = -warm; i < samples; i++) {
        const unsigned long start = nx_cycles();
        for (int trip = 0; trip < trips; trip++) {
            if (me == 0)
                V(turn[1]);
            P(turn[me]);
            if (me == 1)
                V(turn[0]);
        }
        if (i >= 0)
            halves[i] = nanoseconds(nx_cycles() - start, 2 * trips);
    }
    for (int i = -warm; i < samples; i++) {
        const unsigned long start = nx_cycles();
        for (int trip = 0; trip < trips; trip++) {
            V(own);
            P(own);
        }
        if (i >= 0)
            calls[i] = nanoseconds(nx_cycles() - start, trips);
    }
    for (int i = -warm; i < samples; i++) {
        const unsigned long start = nx_cycles();
        for (int trip = 0; trip < trips; trip++)
            flick();
        if (i >= 0)
            switches[i] = nanoseconds(nx_cycles() - start, 2 * trips);
    }
    if (me == 0) {
        nx_report("switch", 0, "", "ns", switches, samples);
        nx_report("hand-over", 0, "", "ns", halves, samples);
        nx_report("V and P", 0, "", "ns", calls, samples);
    }
    return 0;
}
