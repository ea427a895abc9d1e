/* SPDX-License-Identifier: MIT
 * Loops whose schedule is left to whoever runs the program; prints which thread had each iteration. */
#include <omp.h>
#include <stdio.h>

enum { most = 8 };

static int had_by[most];

static void tell(const char *what)
{
    printf("%s:", what);
    for (int i = 0; i < most; i++)
        printf(" %d", had_by[i]);
    printf("\n");
}

/* With tasks gcc gives the schedule by its number, except where region and loop are one directive. */
#define LOOP(...)                                                                \
    _Pragma("omp parallel") _Pragma(#__VA_ARGS__) for (int i = 0; i < most; i++) \
    {                                                                            \
        had_by[i] = omp_get_thread_num();                                        \
        sum += i;                                                                \
    }
#define TELL(how)                                        \
    LOOP(omp for schedule(how) reduction(+ : sum))       \
    tell(#how);                                          \
    LOOP(omp for schedule(how) reduction(task, + : sum)) \
    tell(#how ", with tasks")

int main(void)
{
    long sum = 0;
    TELL(runtime);
    TELL(monotonic : runtime);
    TELL(nonmonotonic : runtime);
    return sum == 6 * (most - 1) * most / 2 ? 0 : 1;
}
