/* SPDX-License-Identifier: MIT */
/* Policy processes go before programs: node 0 waits, and the others compute and keep every processor. Behind
 * each V a policy process has run before node 1 has computed a tenth of a time slice. */
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>

enum { rounds = 10 };

static void compute(double seconds)
{
    const unsigned long until = nx_cycles() + (unsigned long)(seconds * nx_cycles_per_second());
    while (nx_cycles() < until)
        ;
}

static struct parley_semaphore_counts now(void)
{
    struct parley_semaphore_counts counts;
    nx_semaphore_counts(&counts);
    return counts;
}

int main(void)
{
    static volatile int over;
    const long wait = nx_semaphore(0, 0);
    gsync();
    if (mynode() == 0) {
        for (int round = 0; round < rounds; round++)
            P(wait);
        csend(1, (void *)&over, 0, -1, 0);
        return 0;
    }
    if (mynode() != 1) {
        const long end = irecv(1, 0, 0);
        while (!msgdone(end))
            compute(0.0005);
        return 0;
    }
    int late = 0;
    for (int round = 0; round < rounds; round++) {
        while (now().waits == (unsigned long)round)
            compute(0.0005);
        compute(0.02); /* its pages have been written */
        const unsigned long before = now().policy_runs;
        V(wait);
        compute(0.001);
        late += now().policy_runs == before;
    }
    printf("urgent: %d of %d wake-ups were taken up late\n", late, rounds);
    crecv(1, 0, 0);
    return late != 0;
}
