/* SPDX-License-Identifier: MIT */
/* Calls of the Paragon that old programs make around NX/2's: an application is started on all its nodes at
 * once
 * here, so that each process already is what nx_nfork would make. */
#include "userlib/nx/operations.h"

#include <nx.h>

long nx_initve(const char *partition, long nodes, const char *account, int *argc, char *argv[])
{
    (void)partition, (void)nodes, (void)account, (void)argc, (void)argv;
    return nx_process.nodes;
}

long nx_nfork(long nodes[], long count, long pid, long pids[])
{
    (void)nodes, (void)count, (void)pid, (void)pids;
    return 0;
}

long nx_waitall(void)
{
    return 0;
}

/* Ten million ticks a second, in two halves of 32 bits. */
void hwclock(esize_t *time)
{
    unsigned long ticks = (unsigned long)(dclock() * HWHZ);
    time->slow = (long)(ticks & 0xffffffff);
    time->shigh = (long)(ticks >> 32);
}

/* Hints to a file system that this machine does not have. */
long _restrictvol(long file, long count, int volumes[])
{
    (void)file, (void)count, (void)volumes;
    return 0;
}

void restrictvol(long file, long count, int volumes[])
{
    (void)file, (void)count, (void)volumes;
}
