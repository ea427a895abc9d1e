/* SPDX-License-Identifier: MIT
 * Reductions that tasks take part in, and iterations that depend on each other; prints what is the same with
 * any runtime and any number of threads. */
#include <stdio.h>

enum { most = 40, width = 3, side = 9 };

struct pair {
    long sum, product;
};
static void add(struct pair *into, const struct pair *more)
{
    into->sum += more->sum;
    into->product = into->product * more->product % 1000003;
}
#pragma omp declare reduction(both : struct pair : add(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct pair){0, 1})

static long deep(int depth)
{
    long found = 0;
#pragma omp taskgroup task_reduction(+ : found)
    {
        for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : found)
            found += depth == 0 ? 1 : deep(depth - 1);
        }
    }
    return found;
}

/* A task that takes part passes it on to tasks that it makes, in groups of their own. */
static long handed_on(void)
{
    long sum = 0, table[width] = {0};
    struct pair pair = {0, 1};
#pragma omp taskgroup task_reduction(+ : sum, table) task_reduction(both : pair)
    {
        for (int i = 1; i <= 20; i++) {
#pragma omp task in_reduction(+ : sum, table) in_reduction(both : pair) firstprivate(i)
            {
                const struct pair one = {i, i};
                add(&pair, &one);
                table[i % width] += i;
#pragma omp taskgroup
                {
#pragma omp task in_reduction(+ : sum, table[1 : 2])
                    {
                        sum += i;
                        table[1] += 100;
                    }
#pragma omp task in_reduction(+ : sum) if (0)
                    sum += 1000 * i;
                }
            }
        }
    }
    return sum + 7 * table[0] + 11 * table[1] + 13 * table[2] + 17 * pair.sum + 19 * pair.product;
}

static long in_shares(void)
{
    long region = 0, loop = 0, sections = 0, scope = 0;
#pragma omp parallel reduction(task, + : region)
    {
#pragma omp single
        for (int i = 0; i < most; i++) {
#pragma omp task in_reduction(+ : region) firstprivate(i)
            region += i;
        }
    }
#pragma omp parallel
    {
#pragma omp for reduction(task, + : loop) schedule(dynamic, 3)
        for (int i = 0; i < most; i++) {
            loop += 1000;
#pragma omp task in_reduction(+ : loop) firstprivate(i)
            loop += i;
        }
#pragma omp sections reduction(task, + : sections)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : sections)
                sections += 3;
            }
#pragma omp section
            sections += 4;
        }
#pragma omp scope reduction(task, + : scope)
        {
#pragma omp masked
            for (int i = 0; i < most; i++) {
#pragma omp task in_reduction(+ : scope) firstprivate(i)
                scope += i;
            }
        }
    }
    return region + 3 * loop + 5 * sections + 7 * scope;
}

static long in_taskloops(int count)
{
    long sum = 0, outer = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) grainsize(4)
        for (int i = 0; i < count; i++)
            sum += i;
#pragma omp taskgroup task_reduction(+ : outer)
        {
#pragma omp taskloop in_reduction(+ : outer)
            for (unsigned long long i = 0; i < (unsigned long long)count; i++)
                outer += 2 * (long)i;
        }
    }
    return sum + outer;
}

/* Each element follows from its neighbours to the left and above, under each schedule. */
static long table[side][side];
static long wrong_in_table(void)
{
    long wrong = 0;
    for (int i = 1; i < side; i++)
        for (int j = 1; j < side; j++) {
            wrong += table[i][j] != (table[i - 1][j] + 3 * table[i][j - 1] + i) % 1000003;
        }
    return wrong;
}
static void compute(int i, int j)
{
    table[i][j] = (table[i - 1][j] + 3 * table[i][j - 1] + i) % 1000003;
}
#define WAVE(...)                                                                           \
    _Pragma(#__VA_ARGS__) for (int i = 1; i < side; i++) for (int j = 1; j < side; j++)     \
    {                                                                                       \
        _Pragma("omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)") compute(i, j); \
        _Pragma("omp ordered depend(source)")                                               \
    }
static long waves(void)
{
    long wrong = 0;
    table[0][0] = 1;
#pragma omp parallel
    {
        WAVE(omp for ordered(2))
    }
    wrong += wrong_in_table();
    table[0][1] = 5;
#pragma omp parallel num_threads(3)
    {
        WAVE(omp for ordered(2) schedule(dynamic, 2))
        WAVE(omp for ordered(2) schedule(static, 1))
    }
    wrong += wrong_in_table();
    table[0][3] = 9;
#pragma omp parallel
    {
        WAVE(omp for ordered(2) schedule(guided))
        WAVE(omp for ordered(2) schedule(runtime))
    }
    return wrong + wrong_in_table();
}

/* Backwards. */
static long chain[most];
static long chains(void)
{
    long wrong = 0;
    for (int i = 0; i < most; i++)
        chain[i] = i;
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = most - 2; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 1)
        chain[i] += chain[i + 1];
#pragma omp ordered depend(source)
    }
    for (int i = 0; i < most; i++)
        wrong += chain[i] != (most - 1) * most / 2 - (i - 1) * i / 2;
    return wrong;
}

/* How many iterations each task of a taskloop has. */
static int sizes[most];
static void count_iteration(int *tasks, int *own, int *had)
{
    if (*had == 0) {
#pragma omp atomic capture
        *own = (*tasks)++;
    }
    sizes[*own] = ++*had;
}
static int taskloop_sizes(int count, int grain, int wanted)
{
    int tasks = 0, own = 0, had = 0;
#pragma omp parallel
#pragma omp single
    {
        if (grain > 0) {
#pragma omp taskloop grainsize(grain) firstprivate(own, had) shared(tasks)
            for (int i = 0; i < count; i++)
                count_iteration(&tasks, &own, &had);
        } else {
#pragma omp taskloop num_tasks(wanted) firstprivate(own, had) shared(tasks)
            for (int i = 0; i < count; i++)
                count_iteration(&tasks, &own, &had);
        }
    }
    int wrong = grain == 0 && tasks != wanted;
    for (int task = 0; grain > 0 && task < tasks; task++)
        wrong += sizes[task] < grain || sizes[task] >= 2 * grain;
    return wrong;
}

int main(void)
{
    long groups = 0;
#pragma omp parallel
#pragma omp single
    groups = deep(6) + handed_on();
    printf("groups: %ld\n", groups);
    for (int round = 0; round < 3; round++)
        printf("shares: %ld\n", in_shares());
    printf("taskloops: %ld, %ld\n", in_taskloops(most), in_taskloops(0));
    printf("tasks of another size: %d, %d\n", taskloop_sizes(370, 28, 0), taskloop_sizes(9, 0, 6));
    printf("waves: %ld wrong, chains: %ld wrong\n", waves(), chains());
    /* Last: gcc's library has no end of a region after a reduction outside of all. */
    printf("alone: %ld\n", deep(3) + handed_on());
    return 0;
}
