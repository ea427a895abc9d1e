/* SPDX-License-Identifier: MIT */
/* What P and V cost, in instructions: two nodes on one processor, instruction-counted, where the time-stamp
 * counter moves by one with every instruction of everybody. First alone, then by turns: each wakes the other
 * and waits, so that a round is two Vs, two Ps, and all that lies between them. */
#include "apps/support/traffic.h"

#include <nx.h>
#include <nx_semaphores.h>
#include <string.h>

enum { warm_up = 8, rounds = 200, turns = 20, dirtied = 8 };

static double p[rounds], v[rounds], whole[rounds];

static void count_alone(long semaphore)
{
    const double reading = (double)traffic_reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        const unsigned long start = nx_cycles();
        V(semaphore);
        const unsigned long middle = nx_cycles();
        P(semaphore);
        const unsigned long end = nx_cycles();
        if (i >= 0) {
            v[i] = (double)(middle - start) - reading;
            p[i] = (double)(end - middle) - reading;
        }
    }
    nx_report("V alone", 0, "", "instructions", v, rounds);
    nx_report("P alone", 0, "", "instructions", p, rounds);
}

/* One more look at a spin lock that is not free. */
static void count_looks(void)
{
    enum { looks = 64 };
    static unsigned word;
    const double reading = (double)traffic_reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        const unsigned long start = nx_cycles();
        for (int look = 0; look < looks; look++) {
            if (parley_spin_take(&word))
                break;
            nx_pause();
        }
        if (i >= 0)
            whole[i] = ((double)(nx_cycles() - start) - reading) / looks;
    }
    nx_report("look", 0, "", "instructions", whole, rounds);
}

static void count_turns(long mine, long others)
{
    struct parley_semaphore_counts before, after;
    const double reading = (double)traffic_reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        if (i == 0)
            nx_semaphore_counts(&before);
        const unsigned long start = nx_cycles();
        V(others);
        const unsigned long middle = nx_cycles();
        P(mine);
        if (i >= 0) {
            whole[i] = (double)(nx_cycles() - start) - reading;
            v[i] = (double)(middle - start) - reading;
        }
    }
    nx_semaphore_counts(&after);
    const double requests = (double)(after.policy_runs - before.policy_runs) / rounds;
    nx_report("V that wakes", 0, "", "instructions", v, rounds);
    nx_report("round", 0, "", "instructions", whole, rounds);
    nx_report("requests", 0, "", "times", &requests, 1);
}

/* What is written for a process that waits, beside what it writes to anyhow. */
static void count_pages(long mine, long others, int touched, const char *name)
{
    enum { page = 4096 };
    static volatile char pages[dirtied][page] __attribute__((aligned(page)));
    struct parley_semaphore_counts before, after;
    for (int i = -1; i < turns; i++) {
        if (i == 0)
            nx_semaphore_counts(&before);
        for (int at = 0; at < touched; at++)
            pages[at][0]++;
        V(others);
        P(mine);
    }
    nx_semaphore_counts(&after);
    const double written = (double)(after.page_writes - before.page_writes) / turns;
    nx_report(name, 0, "", "pages", &written, 1);
}

/* One call that wakes 1, 2, 4 or 8 others, of which each is known to wait. */
static void count_together(void)
{
    static const long sizes[] = {1, 2, 4, 8};
    enum { calls = 40 };
    long others[8];
    for (long node = 1; node < 9; node++)
        others[node - 1] = nx_semaphore(node, 0);
    const double reading = (double)traffic_reading_cost();
    struct parley_semaphore_counts counts = {0};
    unsigned long waits = 0; /* since the job began */
    for (unsigned size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
        gsync(); /* else others would wait before their time, and be counted */
        for (int call = 0; call < calls; call++) {
            if (mynode() > 0) {
                if (mynode() <= sizes[size])
                    P(others[mynode() - 1]);
                continue;
            }
            for (waits += sizes[size]; counts.waits < waits; nx_semaphore_counts(&counts))
                flick();
            const unsigned long start = nx_cycles();
            nx_v_all(others, sizes[size]);
            whole[call] = (double)(nx_cycles() - start) - reading;
        }
        if (mynode() == 0)
            nx_report("V of several", sizes[size], "", "instructions", whole, calls);
    }
}

int main(void)
{
    if (numnodes() == 9) {
        count_together();
        return 0;
    }
    const long first = nx_semaphore(0, 0), second = nx_semaphore(1, 0), own = nx_semaphore(2, 0);
    if (mynode() == 0) {
        count_alone(own);
        count_looks();
    }
    gsync();
    if (!strncmp(nx_semaphores(), "spin", 4) || !strcmp(nx_semaphores(), "queue"))
        return 0; /* whoever spins has the processor that the other needs */
    if (mynode() == 0) {
        count_turns(first, second);
        count_pages(first, second, 0, "pages, none dirtied");
        count_pages(first, second, dirtied, "pages, some dirtied");
        V(second);
    } else {
        for (int i = -warm_up - 2 * (turns + 1); i < rounds; i++) {
            P(second);
            V(first);
        }
        P(second); /* else its last wait would be missing where pages are counted */
    }
    return 0;
}
