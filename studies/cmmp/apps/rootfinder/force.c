/* SPDX-License-Identifier: MIT */
#include "carrier.h"

#include "tail.h"

#include <nx.h>

double force_nanoseconds(unsigned long cycles)
{
    return (double)(long)cycles * 1e9 / nx_cycles_per_second();
}

void force_begin(struct force *force)
{
    force->interval = interval_for(0);
    force->level = root_level(0);
    force->began = nx_cycles();
}

static volatile long double sink;

static long double authentic(long double x, long times, long fixed)
{
    long double value = 0;
    for (long i = 0; i < times; i++)
        value = tail_probability(x, 0);
    if (fixed > 0)
        sink = tail_work(x, fixed);
    return value;
}

/* The real evaluation, and as many more steps as its length wants: where that is less than F takes, it is as
 * long as F. */
static long double drawn(long double x, long wanted)
{
    long taken;
    const long double value = tail_probability(x, &taken);
    if (wanted > taken)
        sink = tail_work(x, wanted - taken);
    return value;
}

static long double evaluate(const struct force *force, const struct task *task, long process)
{
    const struct lengths *const lengths = task->lengths;
    const long double x = interval_point(&force->interval, process, task->processes);
    const long double probability = lengths->kind == length_authentic
                                        ? authentic(x, lengths->mean, task->fixed)
                                        : drawn(x, length_of(lengths, force->root, force->stage, process));
    return probability - force->level;
}

static int find(struct force *force, const struct task *task)
{
    const long processes = task->processes;
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
    force->over = force->root == task->roots;
    if (!force->over) {
        force->interval = interval_for(force->root * task->every);
        force->level = root_level(force->root * task->every);
    }
    return 1;
}

unsigned long force_find(struct force *force, const struct task *task)
{
    const unsigned long posted = nx_cycles();
    const long stage = force->stages;
    if (!find(force, task))
        force->over = -1;
    const unsigned long found = nx_cycles();
    force->stages++;
    force->stage_ns[stage] = force_nanoseconds(posted - force->began);
    force->find_ns[stage] = force_nanoseconds(found - posted);
    force->began = posted;
    return found;
}

void force_told(struct force *force, unsigned long found)
{
    force->v_ns[force->stages - 1] = force_nanoseconds(nx_cycles() - found);
}

int force_work(struct force *force, const struct task *task, long process, struct experience *experience)
{
    while (!force->over) {
        const unsigned long began = nx_cycles();
        force->members[process - 1].value = evaluate(force, task, process);
        experience->evaluation_ns[experience->evaluations++] = force_nanoseconds(nx_cycles() - began);
        task->carrier->stage(force, task, process, experience);
    }
    return force->over < 0;
}
