/* SPDX-License-Identifier: MIT */
/* The machine's scheduler, for programs that measure it. */
#include "userlib/nx/failure.h"
#include "userlib/nx/proxies.h"

#include <nx.h>

/* In the file of every program that measures gangs: they need its processors, so the runner lets it share
 * them unless the user says otherwise. */
__attribute__((used)) static const char measuring_program[] = "@(#)parley: this program measures gangs";

long nx_processors(void)
{
    return nx_process.start->processors;
}

long nx_measure_gang(long members, long load, struct nx_gang_times *times)
{
    long value = nx_gangs_measure(members, load, times).contents;
    return value < 0 ? nx_set_errno(-value) : 0;
}
