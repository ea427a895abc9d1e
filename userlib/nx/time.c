/* SPDX-License-Identifier: MIT */
/* The clocks, all made from the time-stamp counter, so that reading one is no call into the kernel. */
#include "userlib/nx/this_process.h"

#include <nx.h>

unsigned long nx_cycles(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (unsigned long)high << 32 | low;
}

double nx_cycles_per_second(void)
{
    return (double)nx_process.start->clock_hertz;
}

double dclock(void)
{
    return (double)(nx_cycles() - nx_process.start->clock_start) / nx_cycles_per_second();
}

unsigned long mclock(void)
{
    return (unsigned long)(dclock() * 1e3);
}

double _dclock(void)
{
    return dclock();
}

unsigned long _mclock(void)
{
    return mclock();
}
