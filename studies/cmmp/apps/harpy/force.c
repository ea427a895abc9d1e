/* SPDX-License-Identifier: MIT */
#include "force.h"

int force_arrive(struct force *force, const struct surroundings *around, long process)
{
    /* Acquire and release: who arrives last sees what all others have written. */
    if (__atomic_add_fetch(&force->arrived, 1, __ATOMIC_ACQ_REL) == (unsigned)force->processes)
        return 1;
    around->p(around->semaphores[process]);
    return 0;
}

void force_go_on(struct force *force, const struct surroundings *around, long process)
{
    __atomic_store_n(&force->arrived, 0, __ATOMIC_RELAXED);
    for (long other = 0; other < force->processes; other++)
        if (other != process)
            around->v(around->semaphores[other]);
}

/* Whether the bit was there: the one who takes it away owes the V. */
static int take_bit(struct force *force, unsigned long bit)
{
    return (__atomic_fetch_and(&force->idle, ~bit, __ATOMIC_SEQ_CST) & bit) != 0;
}

void force_wait(struct force *force, const struct surroundings *around, long process,
                int (*sight)(const void *what), const void *what)
{
    const unsigned long bit = 1ul << process;
    __atomic_fetch_or(&force->idle, bit, __ATOMIC_SEQ_CST);
    if (sight(what) && take_bit(force, bit))
        return;
    around->p(around->semaphores[process]);
}

void force_wake(struct force *force, const struct surroundings *around, long count)
{
    unsigned long idle;
    while (count > 0 && (idle = __atomic_load_n(&force->idle, __ATOMIC_SEQ_CST)) != 0) {
        const int process = __builtin_ctzl(idle);
        if (take_bit(force, 1ul << process)) {
            around->v(around->semaphores[process]);
            count--;
        }
    }
}
