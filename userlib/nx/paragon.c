/* SPDX-License-Identifier: MIT */
/* Calls of the Paragon that old programs make around NX/2's: an application is started on all its nodes at
 * once here, so that each process already is what nx_nfork would make. */
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <stdlib.h>

static int is_host(void)
{
    return nx_process.node == nx_process.nodes;
}

long nx_initve(const char *partition, long nodes, const char *account, int *argc, char *argv[])
{
    (void)partition, (void)nodes, (void)account, (void)argc, (void)argv;
    return nx_process.nodes;
}

long nx_nfork(long nodes[], long count, long pid, long pids[])
{
    (void)nodes, (void)count, (void)pid, (void)pids;
    return is_host() ? nx_set_errno(nx_error_no_such_call) : 0;
}

long nx_waitall(void)
{
    return is_host() ? _waitall(-1, -1) : 0;
}

long nx_app_nodes(long group, nx_nodes_t *nodes, unsigned long *count)
{
    (void)group;
    long *list = malloc((size_t)nx_process.nodes * sizeof *list);
    if (!list)
        return nx_set_errno(nx_error_no_memory);
    for (int node = 0; node < nx_process.nodes; node++)
        list[node] = node;
    *nodes = list;
    *count = (unsigned long)nx_process.nodes;
    return 0;
}

long nx_app_rect(long *rows, long *columns)
{
    long side = 1;
    for (long candidate = 1; candidate * candidate <= nx_process.nodes; candidate++)
        if (nx_process.nodes % candidate == 0)
            side = candidate;
    *rows = side;
    *columns = nx_process.nodes / side;
    return 0;
}

long nx_mkpart(const char *partition, long nodes, long type)
{
    (void)partition, (void)nodes, (void)type;
    return nx_set_errno(nx_error_not_permitted);
}

long nx_rmpart(const char *partition, long force, long recursive)
{
    (void)partition, (void)force, (void)recursive;
    return nx_set_errno(nx_error_not_permitted);
}

long nx_pri(long group, long priority)
{
    (void)group, (void)priority;
    return nx_set_errno(nx_error_not_permitted);
}

/* Ten million ticks a second, in two halves of 32 bits. */
void hwclock(esize_t *time)
{
    unsigned long ticks = (unsigned long)(dclock() * HWHZ);
    time->slow = (int)ticks;
    time->shigh = (int)(ticks >> 32);
}

long _hwclock(esize_t *time)
{
    hwclock(time);
    return 0;
}
