/* SPDX-License-Identifier: MIT */
/* The Fortran names of the Paragon's calls, and of calls about the machine. */
#include <nx.h>
#include <stdio.h>

#include "userlib/fortran/binding.h"
#include "userlib/nx/this_process.h"

void hwclock_(int time[2])
{
    esize_t wide;
    hwclock(&wide);
    time[0] = (int)wide.slow;
    time[1] = (int)wide.shigh;
}

void handler_(const int *type, void (*function)())
{
    (void)type, (void)function; /* exceptions end a program all the same */
}

/* Its arguments, whatever they are, were settled when the job was started. */
int nx_initve_(void)
{
    return (int)nx_initve(0, -1, 0, 0, 0);
}

int nx_nfork_(const int nodes[], const int *count, const int *pid, int pids[])
{
    (void)nodes, (void)count, (void)pids;
    return (int)nx_nfork(0, -1, *pid, 0);
}

int nx_waitall_(void)
{
    return (int)nx_waitall();
}

int nx_app_nodes_(const int *group, int nodes[], int *count)
{
    (void)group;
    for (int node = 0; node < nx_process.nodes; node++)
        nodes[node] = node;
    *count = nx_process.nodes;
    return 0;
}

long nx_narrow_nx_app_rect(int *rows, int *columns)
{
    long wide[2];
    nx_app_rect(&wide[0], &wide[1]);
    *rows = (int)wide[0];
    *columns = (int)wide[1];
    return 0;
}

int nx_app_rect_(int *rows, int *columns)
{
    return (int)nx_narrow_nx_app_rect(rows, columns);
}

void nx_perror_(const char *text, size_t length)
{
    char line[256];
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    nx_perror(line);
}
