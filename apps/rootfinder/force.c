/* SPDX-License-Identifier: MIT */
#include "force.h"

#include "tail.h"

#include <nx.h>
#include <nx_semaphores.h>

static double nanoseconds(unsigned long cycles)
{
    return (double)(long)cycles * 1e9 / nx_cycles_per_second();
}

void force_begin(struct force *force)
{
    force->interval = interval_for(0);
    force->began = nx_cycles();
}

static long double authentic(long double x, long times)
{
    long double value = 0;
    for (long i = 0; i < times; i++)
        value = tail_probability(x, 0);
    return value;
}

/* The real evaluation, and as many more steps as its length wants: where that is less than F takes, it is as
 * long as F. */
static long double drawn(long double x, long wanted)
{
    long taken;
    const long double value = tail_probability(x, &taken);
    static volatile long double sink;
    if (wanted > taken)
        sink = tail_work(x, wanted - taken);
    (void)sink;
    return value;
}

static long double evaluate(const struct force *force, const struct lengths *lengths, long process,
                            long processes)
{
    const long double x = interval_point(&force->interval, process, processes);
    const long double probability = lengths->kind == length_authentic
                                        ? authentic(x, lengths->mean)
                                        : drawn(x, length_of(lengths, force->root, force->stage, process));
    return probability - root_level(force->root);
}

/* The last to post: nobody else runs before its V. */
static int find(struct force *force, long processes, long roots)
{
    long double values[most_processes];
    for (long i = 0; i < processes; i++)
        values[i] = force->members[i].value;
    if (!interval_find(&force->interval, values, processes))
        return 0;
    force->stage++;
    if (!interval_is_found(&force->interval))
        return 1;
    force->roots[force->root] = (force->interval.low + force->interval.high) / 2;
    force->stages_of_root[force->root++] = force->stage;
    force->stage = 0;
    force->over = force->root == roots;
    if (!force->over)
        force->interval = interval_for(force->root);
    return 1;
}

static void wake_others(struct force *force, const long *semaphores, long process, long processes)
{
    for (long other = 0; other < processes; other++)
        if (other != process - 1) {
            V(semaphores[other]);
            force->members[other].woken = nx_cycles();
        }
}

static void lead(struct force *force, const long *semaphores, long process, long processes, long roots)
{
    const unsigned long posted = nx_cycles();
    const long stage = force->stages;
    __atomic_store_n(&force->posted, 0, __ATOMIC_RELAXED);
    if (!find(force, processes, roots))
        force->over = -1;
    const unsigned long found = nx_cycles();
    force->stages++;
    force->stage_ns[stage] = nanoseconds(posted - force->began);
    force->find_ns[stage] = nanoseconds(found - posted);
    force->began = posted;
    wake_others(force, semaphores, process, processes);
    force->v_ns[stage] = nanoseconds(nx_cycles() - found);
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
        experience->wake_ns[experience->waits++] = nanoseconds(now - woken);
    else
        experience->p_ns[experience->passes++] = nanoseconds(now - entered);
}

int force_work(struct force *force, const struct lengths *lengths, const long *semaphores, long process,
               long processes, long roots, struct experience *experience)
{
    while (!force->over) {
        const unsigned long began = nx_cycles();
        force->members[process - 1].value = evaluate(force, lengths, process, processes);
        experience->evaluation_ns[experience->evaluations++] = nanoseconds(nx_cycles() - began);
        /* Acquire and release: who posts last sees what all others have written. */
        if (__atomic_add_fetch(&force->posted, 1, __ATOMIC_ACQ_REL) == (unsigned)processes)
            lead(force, semaphores, process, processes, roots);
        else
            follow(force, semaphores[process - 1], process, experience);
    }
    return force->over < 0;
}
