/* SPDX-License-Identifier: MIT
 * How many instructions the pick-up of an iteration takes: a thread of a team picks up one after the other
 * while the processor stops behind every instruction. In a loop of OpenMP's, from the call of the library to
 * its return; with the word `xdoall' or `cdoall' in one of Cedar's, the second in an SDOALL, from the return
 * of one iteration's body to the call of the next. Prints the least, the median and the most of all pick-ups
 * but the loop's first, which makes the distribution. */
#include <cedar.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool GOMP_loop_maybe_nonmonotonic_runtime_start(long first, long end, long step, long *from, long *to);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *from, long *to);
void GOMP_loop_end(void);

enum { iterations = 2000, trap_flag = 0x100 };

static volatile long stepped;
static long counts[iterations];

static void step(int number)
{
    (void)number;
    stepped++;
}

/* Not inlined, so that nothing but these stands between flag and flag. */
__attribute__((noinline)) static void begin_steps(void)
{
    __asm__ volatile("pushfq; orq %0, (%%rsp); popfq" : : "i"(trap_flag) : "cc", "memory");
}
__attribute__((noinline)) static void end_steps(void)
{
    __asm__ volatile("pushfq; andq %0, (%%rsp); popfq" : : "i"(~trap_flag) : "cc", "memory");
}

__attribute__((noinline)) static bool nothing(long *from, long *to)
{
    __asm__ volatile("" : : "r"(from), "r"(to) : "memory");
    return true;
}

/* Instructions from the call to the return, and those that count themselves. */
static long steps_of(bool (*next)(long *, long *), bool *found)
{
    long from, to;
    stepped = 0;
    begin_steps();
    *found = next(&from, &to);
    end_steps();
    return stepped;
}

static int by_number(const void *one, const void *other)
{
    const long a = *(const long *)one, b = *(const long *)other;
    return (a > b) - (a < b);
}

static long count;

static void of_openmp(void)
{
    bool found = true;
    /* `nothing` itself is a return. */
    const long own = steps_of(nothing, &found) - 1;
#pragma omp parallel
    {
        long from, to;
        const bool has_some = GOMP_loop_maybe_nonmonotonic_runtime_start(0, iterations, 1, &from, &to);
#pragma omp barrier
        if (omp_get_thread_num() == 0 && has_some) {
            bool more = true;
            while (count < iterations) {
                const long steps = steps_of(GOMP_loop_maybe_nonmonotonic_runtime_next, &more) - own;
                if (!more)
                    break;
                counts[count++] = steps;
            }
        }
#pragma omp barrier
        while (GOMP_loop_maybe_nonmonotonic_runtime_next(&from, &to))
            ;
        GOMP_loop_end();
    }
}

static __thread bool counts_here;
static volatile bool enough;

/* The first thread counts, while each other one stays in an iteration of its own. */
__attribute__((noinline)) static void iteration(long number, void *data)
{
    (void)number, (void)data;
    if (!counts_here)
        while (!enough)
            sched_yield();
    end_steps();
    if (stepped != 0 && count < iterations)
        counts[count++] = stepped;
    enough = enough || count == iterations;
    stepped = 0;
    if (counts_here && !enough)
        begin_steps();
}

static void in_cluster(long number, void *data)
{
    (void)number;
    cedar_cdoall(1, 2 * iterations, iteration, data);
}

/* Two iterations with nothing between but the call of the second. */
static long steps_of_none(void)
{
    cedar_body *const body = iteration;
    __asm__ volatile("call *%0; call *%0"
                     :
                     : "r"(body)
                     : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
    end_steps();
    stepped = 0;
    count = 0;
    return counts[0] - 1;
}

static void of_cedar(bool in_a_cluster)
{
    counts_here = true;
    const long own = steps_of_none();
    if (in_a_cluster)
        cedar_sdoall(1, 1, in_cluster, NULL);
    else
        cedar_xdoall(1, 2 * iterations, iteration, NULL);
    for (long at = 0; at < count; at++)
        counts[at] -= own;
}

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = step};
    sigaction(SIGTRAP, &action, NULL);
    if (argc > 1)
        of_cedar(strcmp(argv[1], "cdoall") == 0);
    else
        of_openmp();
    if (count == 0) {
        printf("- - - 0\n");
        return 0;
    }
    qsort(counts, (size_t)count, sizeof counts[0], by_number);
    printf("%ld %ld %ld %ld\n", counts[0], counts[count / 2], counts[count - 1], count);
    return 0;
}
