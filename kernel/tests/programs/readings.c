/* SPDX-License-Identifier: MIT */
/* How far the time-stamp counter rises from one reading to the next, by either instruction that reads it, and
 * the number of the processor that the second one tells. */
#include <stdio.h>
#include <x86intrin.h>

int main(void)
{
    unsigned processor = 9;
    const unsigned long long first = __rdtsc(), second = __rdtsc();
    const unsigned long long third = __rdtscp(&processor), fourth = __rdtscp(&processor);
    printf("rose by %llu and %llu, processor %u\n", second - first, fourth - third, processor);
    return 0;
}
