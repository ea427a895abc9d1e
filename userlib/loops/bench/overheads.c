/* SPDX-License-Identifier: MIT
 * What OpenMP's constructs cost, by the method of the EPCC microbenchmarks (Bull, 1999): the time that work
 * takes with a construct around it, less the time of the same work alone, for one construct. Prints a name
 * and nanoseconds a line, the median of as many samples as its argument says. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_samples = 201, of_a_thread = 128 };

static int turns = 1;

static void work(void)
{
    for (int i = 0; i < turns; i++)
        __asm__ volatile("" ::: "memory");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef void construct(int repetitions);

/* Repetitions are so many that a sample takes about half a millisecond. */
static double one(construct *body, double alone, int units, int samples)
{
    double seen[most_samples];
    int repetitions = 4;
    for (double took = 0; took < 4e-4 && repetitions < 1 << 20; repetitions *= 2) {
        const double start = omp_get_wtime();
        body(repetitions);
        took = omp_get_wtime() - start;
    }
    for (int at = 0; at < samples; at++) {
        const double start = omp_get_wtime();
        body(repetitions);
        seen[at] = (omp_get_wtime() - start) / repetitions / units - alone;
    }
    qsort(seen, (size_t)samples, sizeof *seen, compare);
    return seen[samples / 2] * 1e9;
}

static void reference(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        work();
}

static void parallel(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
#pragma omp parallel
        work();
    }
}

static void for_loop(int repetitions)
{
#pragma omp parallel
    for (int i = 0; i < repetitions; i++) {
#pragma omp for
        for (int j = 0; j < omp_get_num_threads(); j++)
            work();
    }
}

static void parallel_for(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
#pragma omp parallel for
        for (int j = 0; j < omp_get_num_threads(); j++)
            work();
    }
}

static void barrier(int repetitions)
{
#pragma omp parallel
    for (int i = 0; i < repetitions; i++) {
        work();
#pragma omp barrier
    }
}

static void single(int repetitions)
{
#pragma omp parallel
    for (int i = 0; i < repetitions; i++) {
#pragma omp single
        work();
    }
}

static void critical(int repetitions)
{
#pragma omp parallel
    for (int i = 0; i < repetitions / omp_get_num_threads(); i++) {
#pragma omp critical
        work();
    }
}

static omp_lock_t lock;
static void locking(int repetitions)
{
#pragma omp parallel
    for (int i = 0; i < repetitions / omp_get_num_threads(); i++) {
        omp_set_lock(&lock);
        work();
        omp_unset_lock(&lock);
    }
}

static void ordered(int repetitions)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < repetitions; i++) {
#pragma omp ordered
        work();
    }
}

static int sum;
static void reduction(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
#pragma omp parallel reduction(+ : sum)
        {
            work();
            sum++;
        }
    }
}

static void tasks(int repetitions)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < repetitions; i++) {
#pragma omp task
        work();
    }
}

/* As many iterations for each thread as EPCC's; the overhead is told for an iteration of a thread. */
#define SCHEDULE(name, ...)                                           \
    static void name(int repetitions)                                 \
    {                                                                 \
        const int all = of_a_thread * omp_get_max_threads();          \
        _Pragma("omp parallel") for (int i = 0; i < repetitions; i++) \
        {                                                             \
            SCHEDULED(omp for schedule(__VA_ARGS__))                  \
            for (int j = 0; j < all; j++)                             \
                work();                                               \
        }                                                             \
    }
#define SCHEDULED(words) _Pragma(#words)
SCHEDULE(static_even, static)
SCHEDULE(static_1, static, 1)
SCHEDULE(static_16, static, 16)
SCHEDULE(dynamic_1, dynamic, 1)
SCHEDULE(dynamic_16, dynamic, 16)
SCHEDULE(in_order_1, monotonic : dynamic, 1)
SCHEDULE(in_order_16, monotonic : dynamic, 16)
SCHEDULE(guided_1, guided, 1)
SCHEDULE(guided_16, guided, 16)

static const struct {
    const char *name;
    construct *body;
    int units;
} constructs[] = {
    {"parallel", parallel, 1},
    {"for", for_loop, 1},
    {"parallel for", parallel_for, 1},
    {"barrier", barrier, 1},
    {"single", single, 1},
    {"critical", critical, 1},
    {"lock", locking, 1},
    {"ordered", ordered, 1},
    {"reduction", reduction, 1},
    {"task", tasks, 1},
    {"static", static_even, of_a_thread},
    {"static,1", static_1, of_a_thread},
    {"static,16", static_16, of_a_thread},
    {"dynamic,1", dynamic_1, of_a_thread},
    {"dynamic,16", dynamic_16, of_a_thread},
    {"monotonic:dynamic,1", in_order_1, of_a_thread},
    {"monotonic:dynamic,16", in_order_16, of_a_thread},
    {"guided,1", guided_1, of_a_thread},
    {"guided,16", guided_16, of_a_thread},
};

int main(int argc, char **argv)
{
    const int wanted = argc > 1 ? atoi(argv[1]) : 21;
    const int samples = wanted < 1 ? 1 : wanted > most_samples ? most_samples : wanted;
    omp_init_lock(&lock);
    /* Work of about a tenth of a microsecond. */
    while (turns < 1 << 16 && one(reference, 0, 1, 5) < 100)
        turns += turns / 4 + 1;
    const double alone = one(reference, 0, 1, samples) * 1e-9;
    for (size_t at = 0; at < sizeof constructs / sizeof *constructs; at++)
        printf("%s\t%.1f\n", constructs[at].name,
               one(constructs[at].body, alone, constructs[at].units, samples));
    return 0;
}
