/* SPDX-License-Identifier: MIT
 * What OpenMP has beside loops: teams, single, sections, critical, locks, reductions, tasks, nesting; prints
 * what is the same with any runtime and any number of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long fibonacci(int n)
{
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a) if (n > 6)
    a = fibonacci(n - 1);
#pragma omp task shared(b) final(n < 5)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void split(long *sum, long from, long to)
{
    if (to - from < 10) {
        for (; from < to; from++) {
#pragma omp atomic
            *sum += from;
        }
        return;
    }
#pragma omp task
    split(sum, from, (from + to) / 2);
#pragma omp task
    split(sum, (from + to) / 2, to);
}

static int copied;
#pragma omp threadprivate(copied)

int main(void)
{
    int members = 0, numbers = 0, inside = 0, size = 0;
#pragma omp parallel reduction(+ : members, numbers, inside) reduction(max : size)
    {
        members = 1;
        numbers = omp_get_thread_num();
        inside = omp_in_parallel();
        size = omp_get_num_threads();
    }
    printf("team %d %d %d\n", members == size, numbers == size * (size - 1) / 2,
           inside == (size > 1 ? size : 0));

    int singles = 0, heard = 0, masters = 0;
#pragma omp parallel reduction(+ : heard)
    for (int round = 0; round < 50; round++) {
        int told;
#pragma omp single
        singles++;
#pragma omp single copyprivate(told)
        told = round;
        heard += told != round;
#pragma omp master
        masters++;
#pragma omp barrier
    }
    printf("single %d %d %d\n", singles, heard, masters);

    int sections[5] = {0};
#pragma omp parallel sections
    {
#pragma omp section
        sections[0]++;
#pragma omp section
        sections[1]++;
#pragma omp section
        sections[2]++;
    }
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            sections[3]++;
#pragma omp section
            sections[4]++;
        }
    }
    printf("sections %d %d %d %d %d\n", sections[0], sections[1], sections[2], sections[3], sections[4]);

    long guarded = 0, named = 0, locked = 0, nested = 0;
    double atomic = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel for
    for (int i = 0; i < 2000; i++) {
#pragma omp critical
        guarded++;
#pragma omp critical(by_name)
        named++;
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        if (omp_test_nest_lock(&nest) == 2)
            nested++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
#pragma omp atomic
        atomic += 1;
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    printf("locks %ld %ld %ld %ld %g\n", guarded, named, locked, nested, atomic);

    double total = 0, product = 1;
    int all = 1, least = 1000;
    long double wide = 0;
#pragma omp parallel for reduction(+ : total, wide) reduction(* : product) reduction(&& : all) \
    reduction(min : least)
    for (int i = 1; i <= 64; i++) {
        total += i;
        product *= i % 3 == 0 ? 2 : 1;
        all = all && i > 0;
        least = i < least ? i : least;
        wide += i;
    }
    printf("reductions %g %g %d %d %Lg\n", total, product, all, least, wide);

    long result = 0;
#pragma omp parallel
#pragma omp single
    result = fibonacci(16);
    printf("fibonacci %ld\n", result);
    long sum = 0, late = 0;
#pragma omp parallel
    {
#pragma omp master
        {
#pragma omp taskgroup
            split(&sum, 0, 1000);
            late += sum != 499500;
            split(&sum, 0, 1000);
        }
    }
    printf("tasks %ld %ld\n", sum, late);
    long looped = 0, down = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7)
        for (int i = 0; i < 100; i++) {
#pragma omp atomic
            looped += i;
        }
#pragma omp taskloop num_tasks(3)
        for (unsigned long long i = 50; i > 0; i -= 2) {
#pragma omp atomic
            down += i;
        }
    }
    printf("taskloop %ld %ld\n", looped, down);
    int chain = 0, broken = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : chain) firstprivate(i)
        {
            broken += chain != i;
            chain++;
        }
    }
    printf("depend %d %d\n", chain, broken);

    omp_set_max_active_levels(2);
    int outer = 0, inner = 0, wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : outer, inner, wrong)
    {
        outer++;
        int mine = 0;
        const int number = omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : mine, wrong)
        {
            mine++;
            wrong +=
                omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != number || omp_get_team_size(1) != 2;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                wrong += omp_get_active_level() != 2;
        }
        inner += mine;
    }
    printf("nested %d %d %d\n", outer, inner, wrong);

    copied = 5;
    int copies = 0, threads = 0;
#pragma omp parallel copyin(copied) reduction(+ : copies, threads)
    {
        copies += copied;
        threads++;
    }
    printf("copyin %d\n", copies == 5 * threads);
    int serial = 0;
#pragma omp parallel if (0) reduction(+ : serial)
    serial += omp_get_num_threads();
    omp_set_num_threads(3);
    int three = 0;
#pragma omp parallel reduction(+ : three)
    three += omp_get_num_threads();
    printf("numbers %d %d %d\n", serial, three, omp_get_max_threads());
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_guided, 6);
    omp_get_schedule(&kind, &chunk);
    printf("schedule %d %d\n", (int)kind, chunk);
    return 0;
}
