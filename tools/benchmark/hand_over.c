/* SPDX-License-Identifier: MIT */
/* What P and V take to hand something over to another processor and back, beside a bare hand-over: the same
 * two sequences of instructions, on a word a direction, each on a line of its own, without the library. By
 * turns, in batches, for a host may move its processors at any time. Reports the times one way, and each
 * batch's ratio. */
#include "shared_lines.h"

#include <nx.h>
#include <nx_semaphores.h>

enum { batches = 61, rounds = 2000 };

struct words {
    _Alignas(shared_lines_alignment) unsigned there;
    _Alignas(shared_lines_alignment) unsigned back;
};

static double semaphores[batches], bare[batches], ratios[batches];
static long me, there, back;

static void take(unsigned *word)
{
    while (!parley_spin_take(word))
        nx_pause();
}

static void by_words(struct words *words)
{
    if (me == 0) {
        parley_spin_give(&words->there);
        take(&words->back);
    } else {
        take(&words->there);
        parley_spin_give(&words->back);
    }
}

static void by_semaphores(struct words *unused)
{
    (void)unused;
    if (me == 0) {
        V(there);
        P(back);
    } else {
        P(there);
        V(back);
    }
}

static double nanoseconds_one_way(void (*hand_over)(struct words *), struct words *words)
{
    gsync();
    const unsigned long start = nx_cycles();
    for (int i = 0; i < rounds; i++)
        hand_over(words);
    return (double)(nx_cycles() - start) * 1e9 / nx_cycles_per_second() / (2 * rounds);
}

int main(void)
{
    struct words *const words = shared_lines(sizeof *words);
    me = mynode();
    /* The words of neighbours are as near as two lines can be; some processors fetch those together. */
    there = nx_semaphore(0, 0);
    back = nx_semaphore(2, 0);
    for (int i = 0; i < batches; i++) {
        semaphores[i] = nanoseconds_one_way(by_semaphores, words);
        bare[i] = nanoseconds_one_way(by_words, words);
        ratios[i] = semaphores[i] / bare[i];
    }
    if (me != 0)
        return 0;
    nx_report("P and V", 0, "", "ns", semaphores, batches);
    nx_report("bare hand-over", 0, "", "ns", bare, batches);
    nx_report("to bare", 0, "", "times", ratios, batches);
    return 0;
}
