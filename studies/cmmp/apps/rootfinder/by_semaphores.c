/* SPDX-License-Identifier: MIT */
#include "carrier.h"

#include <nx.h>
#include <nx_semaphores.h>

static void wake_together(struct force *force, const struct task *task, long process)
{
    long others[most_processes], count = 0;
    for (long other = 0; other < task->processes; other++)
        if (other != process - 1)
            others[count++] = task->semaphores[other];
    nx_v_all(others, count);
    const unsigned long now = nx_cycles();
    for (long other = 0; other < task->processes; other++)
        if (other != process - 1)
            force->members[other].woken = now;
}

static void wake_others(struct force *force, const struct task *task, long process)
{
    for (long other = 0; other < task->processes; other++)
        if (other != process - 1) {
            V(task->semaphores[other]);
            force->members[other].woken = nx_cycles();
        }
}

/* The last to post: nobody else runs before its V. */
static void lead(struct force *force, const struct task *task, long process)
{
    __atomic_store_n(&force->posted, 0, __ATOMIC_RELAXED);
    const unsigned long found = force_find(force, task);
    (task->together ? wake_together : wake_others)(force, task, process);
    force_told(force, found); /* no stage ends before this process posts */
}

/* Who is woken reads when that was; the V's end may be noted a little later than its P ends. */
static void follow(const struct force *force, long semaphore, long process, struct experience *experience)
{
    const unsigned long entered = nx_cycles();
    const unsigned long before = __atomic_load_n(&force->members[process - 1].woken, __ATOMIC_RELAXED);
    P(semaphore);
    const unsigned long now = nx_cycles();
    unsigned long woken = __atomic_load_n(&force->members[process - 1].woken, __ATOMIC_RELAXED);
    if (woken == before)
        woken = now; /* not noted yet: the wake-up was faster than that */
    if ((long)(woken - entered) > 0)
        experience->wake_ns[experience->waits++] = force_nanoseconds(now - woken);
    else
        experience->p_ns[experience->passes++] = force_nanoseconds(now - entered);
}

/* All that processes share is ordered by P and V, but for the post. */
static void stage(struct force *force, const struct task *task, long process, struct experience *experience)
{
    /* Acquire and release: who posts last sees what all others have written. */
    if (__atomic_add_fetch(&force->posted, 1, __ATOMIC_ACQ_REL) == (unsigned)task->processes)
        lead(force, task, process);
    else
        follow(force, task->semaphores[process - 1], process, experience);
}

const struct carrier by_semaphores = {
    .tell_others = "V of all others",
    .wake = "wake-up",
    .pass = "P without a wait",
    .shares_force = 1,
    .stage = stage,
};
