/* SPDX-License-Identifier: MIT */
/* The rootfinder of Oleinick and Fuller: 1 to 12 processes look for the crossings of a function, all at once,
 * and wait for each other after every stage: at semaphores, which are what the job was given (SEMAPHORE=), or
 * for messages (--carry). */
#include "apps/support/one_process.h"
#include "apps/support/own_table.h"
#include "carrier.h"
#include "options.h"
#include "tail.h"

#include <math.h>
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All nodes get node 0's: a block of the shared region lies at the same address for everybody. */
static struct force *shared_force(void)
{
    struct force *mine = 0, *all[most_processes];
    if (mynode() == 0) {
        mine = nx_alloc_aligned(sizeof *mine, _Alignof(struct force));
        if (mine) {
            memset(mine, 0, sizeof *mine);
            force_begin(mine);
        } else {
            nx_perror("rootfinder: nx_alloc");
        }
    }
    gcol(&mine, sizeof mine, all, sizeof all, 0);
    return all[0];
}

static double cycles_to_ns(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second();
}

/* V and P of one's own semaphore, which wait for nobody; each with one reading of the clock, which is told
 * alone, too. */
static void measure_pair(long semaphore)
{
    enum { rounds = 200 };
    double v[rounds], p[rounds], clock[rounds];
    for (int i = 0; i < rounds; i++) {
        const unsigned long begin = nx_cycles();
        V(semaphore);
        const unsigned long between = nx_cycles();
        P(semaphore);
        v[i] = cycles_to_ns(between - begin);
        p[i] = cycles_to_ns(nx_cycles() - between);
    }
    for (int i = 0; i < rounds; i++) {
        const unsigned long begin = nx_cycles();
        clock[i] = cycles_to_ns(nx_cycles() - begin);
    }
    nx_report("V alone", 0, "", "ns", v, rounds);
    nx_report("P alone", 0, "", "ns", p, rounds);
    nx_report("clock alone", 0, "", "ns", clock, rounds);
}

static void report(const char *name, long processes, const struct rootfinder_options *options,
                   const char *unit, const double *samples, long count)
{
    if (count > 0)
        nx_report(name, processes, length_name(options->lengths.kind), unit, samples, count);
}

static void report_one(const char *name, long processes, const struct rootfinder_options *options,
                       const char *unit, double value)
{
    report(name, processes, options, unit, &value, 1);
}

/* Semaphores that spin do not count waits and wake-ups, so these rows are left out for them. */
static void report_counts(void)
{
    const int spins = strncmp(nx_semaphores(), "spin", 4) == 0;
    struct parley_semaphore_counts counts;
    nx_semaphore_counts(&counts);
    const struct {
        const char *name, *unit;
        unsigned long value;
        int uncounted;
    } rows[] = {
        {"kernel P and V", "calls", counts.calls, 0},
        {"P that waited", "times", counts.waits, spins},
        {"V that woke", "times", counts.wakes, spins},
        {"policy requests", "times", counts.policy_runs, 0},
        {"page writes", "pages", counts.page_writes, 0},
        {"page reads", "pages", counts.page_reads, 0},
        {"wakes within epsilon", "times", counts.in_time, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double value = (double)rows[i].value;
        if (rows[i].uncounted)
            continue;
        nx_report(rows[i].name, 0, "", rows[i].unit, &value, 1);
    }
}

/* How far a root is from the crossing by the C library's function, to first order; to be within epsilon. */
static long double distance_of(long double x, long root)
{
    static const long double half_root = 0.707106781186547524400844362104849039L;
    static const long double density_factor = 0.398942280401432677939946059934381868L;
    const long double reference = erfcl(x * half_root) / 2;
    return fabsl(reference - root_level(root)) / (density_factor * expl(-x * x / 2));
}

/* How many roots are wrong, or took another number of stages than they must. */
static long count_wrong(const struct force *force, long processes, const struct rootfinder_options *options)
{
    long wrong = 0;
    for (long root = 0; root < options->roots; root++) {
        const long double distance = distance_of(force->roots[root], root * options->every);
        if (distance <= interval_epsilon && force->stages_of_root[root] == interval_stages(processes))
            continue;
        if (!wrong++)
            fprintf(stderr, "rootfinder: root %ld at %.18Lf is off by %.2Le after %ld stages\n", root,
                    force->roots[root], distance, force->stages_of_root[root]);
    }
    return wrong;
}

static double mean_of(const double *values, long from, long to)
{
    double sum = 0;
    for (long i = from; i < to; i++)
        sum += values[i];
    return sum / (double)(to - from);
}

/* Each root by itself, so that two runs can be compared root by root, where roots differ among themselves. */
static void report_roots(const struct force *force, long processes, const struct rootfinder_options *options)
{
    long begin = 0;
    for (long root = 0; root < options->roots; root++) {
        char name[40];
        const long end = begin + force->stages_of_root[root];
        snprintf(name, sizeof name, "mean stage of root %ld", root * options->every);
        report_one(name, processes, options, "ns", mean_of(force->stage_ns, begin, end));
        begin = end;
    }
}

static int tell(const struct force *force, const struct task *task, const struct rootfinder_options *options,
                double elapsed_ns)
{
    const long processes = task->processes;
    report_one("elapsed", processes, options, "ns", elapsed_ns);
    report_one("stages", processes, options, "times", (double)force->stages);
    report("stage", processes, options, "ns", force->stage_ns, force->stages);
    /* In the first stage all pages are written that starting the processes has dirtied; of several roots the
     * first is left out. */
    const long left_out = options->roots > 1 ? force->stages_of_root[0] : 1;
    if (force->stages > left_out)
        report_one("mean of later stages", processes, options, "ns",
                   mean_of(force->stage_ns, left_out, force->stages));
    if (options->roots > 1)
        report_roots(force, processes, options);
    report("FIND", processes, options, "ns", force->find_ns, force->stages);
    if (task->carrier->tell_others)
        report(task->carrier->tell_others, processes, options, "ns", force->v_ns, force->stages);
    if (task->semaphores)
        report_counts();
    const long wrong = count_wrong(force, processes, options);
    if (wrong)
        fprintf(stderr, "rootfinder: %ld of %ld roots are wrong\n", wrong, options->roots);
    else
        printf("rootfinder: %ld roots right to 1e-15, %ld stages each\n", options->roots,
               interval_stages(processes));
    table_printf("%10.3f ms elapsed, %ld stages\n", elapsed_ns / 1e6, force->stages);
    return wrong != 0;
}

static void tell_experience(const struct experience *experience, const struct task *task,
                            const struct rootfinder_options *options)
{
    const long processes = task->processes;
    report("evaluation", processes, options, "ns", experience->evaluation_ns, experience->evaluations);
    if (task->carrier->wake)
        report(task->carrier->wake, processes, options, "ns", experience->wake_ns, experience->waits);
    report(task->carrier->pass, processes, options, "ns", experience->p_ns, experience->passes);
}

static int work(struct force *force, const struct task *task, struct experience *experience,
                const struct rootfinder_options *options)
{
    const long process = mynode() + 1;
    gsync();
    const unsigned long begin = nx_cycles();
    if (process == 1 || !task->carrier->shares_force)
        force->began = begin;
    const int lost = force_work(force, task, process, experience);
    const double elapsed_ns = force_nanoseconds(nx_cycles() - begin);
    if (lost) {
        if (process == 1)
            fprintf(stderr, "rootfinder: the function does not cross in the interval\n");
        return 1;
    }
    tell_experience(experience, task, options);
    gsync(); /* all have counted */
    const int wrong = process == 1 ? tell(force, task, options, elapsed_ns) : 0;
    gsync();
    return wrong;
}

static int run_by_semaphores(struct task *task, const struct rootfinder_options *options)
{
    long semaphores[most_processes];
    if (mynode() == 0)
        printf("rootfinder: %ld processes, %s lengths, semaphores %s\n", task->processes,
               length_name(options->lengths.kind), nx_semaphores());
    for (long i = 0; i < task->processes; i++)
        semaphores[i] = nx_semaphore(i, 0);
    task->semaphores = semaphores;
    struct force *const force = shared_force();
    if (!force)
        return 1;
    if (mynode() == 0)
        measure_pair(semaphores[0]);
    /* What a process notes lies in the region that all share, whose pages are nobody's: the pages that policy
     * processes write while it waits are to be the program's. */
    struct experience *const shared = nx_alloc_aligned(sizeof *shared, _Alignof(struct force));
    static struct experience own;
    if (shared)
        memset(shared, 0, sizeof *shared);
    const int wrong = work(force, task, shared ? shared : &own, options);
    if (shared)
        nx_free(shared);
    if (mynode() == 0)
        nx_free(force);
    return wrong;
}

/* Nothing is shared, so it runs on several machines, too. */
static int run_by_calls(struct task *task, const struct rootfinder_options *options)
{
    static struct force own;
    static struct experience experience;
    if (mynode() == 0)
        printf("rootfinder: %ld processes, %s lengths, carried by %s\n", task->processes,
               length_name(options->lengths.kind), carrier_name(options->carrier));
    force_begin(&own);
    const struct carrier *const carrier = task->carrier;
    if (carrier->prepare && carrier->prepare(&own, mynode() + 1, task->processes)) {
        nx_perror("rootfinder: nx_alloc");
        return 1;
    }
    const int wrong = work(&own, task, &experience, options);
    if (carrier->end)
        carrier->end(&own, task->processes);
    return wrong;
}

static int run(const struct rootfinder_options *options)
{
    static const struct carrier *const carriers[carrier_kinds] = {&by_semaphores, &by_messages,
                                                                  &by_collective};
    const struct carrier *const carrier = carriers[options->carrier];
    struct task task = {&options->lengths, numnodes(),     options->roots, carrier, 0,
                        options->together, options->every, options->fixed};
    return carrier->shares_force ? run_by_semaphores(&task, options) : run_by_calls(&task, options);
}

int main(int count, char **arguments)
{
    struct rootfinder_options options;
    const char *wrong = rootfinder_parse(&options, count, arguments);
    if (!wrong && !options.help && numnodes() > most_processes)
        wrong = "there are at most 12 processes, so take NODES=12 or fewer";
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "rootfinder: %s\n", wrong) : printf("%s", rootfinder_help);
        return wrong ? 2 : 0;
    }
    return run(&options);
}
