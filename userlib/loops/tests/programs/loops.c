/* SPDX-License-Identifier: MIT
 * Loops of OpenMP in every schedule, with what stands between and in them; prints what is the same with any
 * runtime and any number of threads. */
#include <limits.h>
#include <omp.h>
#include <stdio.h>

enum { most = 2000 };
static unsigned char had[most];

static long once(long count)
{
    long good = 0;
    for (long i = 0; i < most; i++) {
        good += had[i] == (i < count);
        had[i] = 0;
    }
    return good == most;
}

#define PRAGMA_OF(words) _Pragma(#words)
#define EVERY(count_, ...)                                                              \
    do {                                                                                \
        PRAGMA_OF(omp parallel for schedule(__VA_ARGS__))                               \
        for (long i = 0; i < (count_); i++)                                             \
            had[i]++;                                                                   \
        long good_ = once(count_);                                                      \
        PRAGMA_OF(omp parallel)                                                         \
        {                                                                               \
            PRAGMA_OF(omp for schedule(__VA_ARGS__))                                    \
            for (long i = (count_) - 1; i >= 0; i--)                                    \
                had[i]++;                                                               \
        }                                                                               \
        printf("%s %ld: %ld %ld\n", #__VA_ARGS__, (long)(count_), good_, once(count_)); \
    } while (0)

int main(void)
{
    static const long counts[] = {0, 1, 3, 100, most};
    for (int at = 0; at < 5; at++) {
        const long count = counts[at];
        EVERY(count, static);
        EVERY(count, static, 3);
        EVERY(count, dynamic);
        EVERY(count, dynamic, 7);
        EVERY(count, monotonic : dynamic, 2);
        EVERY(count, guided);
        EVERY(count, guided, 5);
        EVERY(count, auto);
        EVERY(count, runtime);
        EVERY(count, monotonic : runtime);
    }

    /* Downwards, by steps, to the ends of the types, of unsigned type. */
    long long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
    for (long i = 1000; i > -1000; i -= 7)
        sum += i;
    printf("down %lld\n", sum);
    sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (long i = LONG_MAX - 9; i < LONG_MAX; i += 3)
        sum += LONG_MAX - i;
    printf("to the end %lld\n", sum);
    unsigned long long rest = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : rest)
    for (unsigned long long i = ULLONG_MAX - 20; i < ULLONG_MAX - 1; i += 2)
        rest += ULLONG_MAX - i;
    printf("unsigned %llu\n", rest);
    int last = -1;
#pragma omp parallel for schedule(dynamic, 4) lastprivate(last)
    for (int i = 0; i < 103; i++)
        last = i;
    printf("last %d\n", last);

    /* Ordered regions, some of which a thread does not enter. */
    long order = 0, disorder = 0;
#pragma omp parallel for ordered schedule(dynamic, 3)
    for (long i = 0; i < 500; i++) {
        if (i % 5 == 4)
            continue;
#pragma omp ordered
        {
            disorder += i < order;
            order = i;
        }
    }
    printf("ordered %ld %ld\n", order, disorder);
    order = 0;
#pragma omp parallel for ordered schedule(runtime)
    for (long i = 0; i < 500; i++) {
#pragma omp ordered
        {
            disorder += i != order;
            order = i + 1;
        }
    }
    printf("ordered %ld %ld\n", order, disorder);
    order = 0;
#pragma omp parallel for ordered schedule(static)
    for (long i = 0; i < 50; i++) {
#pragma omp ordered
        {
            disorder += i != order;
            order = i + 1;
        }
    }
    printf("ordered %ld %ld\n", order, disorder);

    /* Two dimensions as one, and many loops that nobody waits behind. */
    long cells = 0;
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : cells)
    for (int i = 0; i < 31; i++)
        for (int j = 0; j < 17; j++)
            cells += i * j;
    printf("cells %ld\n", cells);
    long many = 0;
#pragma omp parallel
    for (int round = 0; round < 100; round++) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            many += i;
        }
    }
    printf("many %ld\n", many);

    /* Outside of a team. */
    long alone = 0;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 10; i++)
        alone += i;
    printf("alone %ld\n", alone);
    return 0;
}
