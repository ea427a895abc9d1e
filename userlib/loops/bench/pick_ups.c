/* SPDX-License-Identifier: MIT
 * How many instructions the pick-up of an iteration takes, from the call of the library to its return: a
 * thread of a team picks up one after the other while the processor stops behind every instruction. Prints
 * the least, the median and the most of all pick-ups but the loop's first, which makes the distribution. */
#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

bool GOMP_loop_runtime_start(long first, long end, long step, long *from, long *to);
bool GOMP_loop_runtime_next(long *from, long *to);
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

int main(void)
{
    const struct sigaction action = {.sa_handler = step};
    bool found = true;
    sigaction(SIGTRAP, &action, NULL);
    /* `nothing` itself is a return. */
    const long own = steps_of(nothing, &found) - 1;
    long count = 0;
#pragma omp parallel
    {
        long from, to;
        const bool has_some = GOMP_loop_runtime_start(0, iterations, 1, &from, &to);
#pragma omp barrier
        if (omp_get_thread_num() == 0 && has_some) {
            bool more = true;
            while (count < iterations) {
                const long steps = steps_of(GOMP_loop_runtime_next, &more) - own;
                if (!more)
                    break;
                counts[count++] = steps;
            }
        }
#pragma omp barrier
        while (GOMP_loop_runtime_next(&from, &to))
            ;
        GOMP_loop_end();
    }
    if (count == 0) {
        printf("- - - 0\n");
        return 0;
    }
    qsort(counts, (size_t)count, sizeof counts[0], by_number);
    printf("%ld %ld %ld %ld\n", counts[0], counts[count / 2], counts[count - 1], count);
    return 0;
}
