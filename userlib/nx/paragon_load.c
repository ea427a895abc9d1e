/* SPDX-License-Identifier: MIT */
/* nx_load and nx_loadve, in a file of their own: only programs that call them are host programs. */
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <string.h>

/* Process ids are told from one another by node. */
static long load_one(const char *file, long node, long pid, long *process)
{
    long value = nx_load_program(file, strlen(file), node, pid);
    if (value >= 0 && process)
        *process = node + 1;
    return value;
}

long nx_load(long nodes[], long count, long pid, long pids[], const char *file)
{
    long number = (int)count == -1 ? nx_process.nodes : (int)count;
    for (long i = 0; i < number; i++) {
        long node = (int)count == -1 ? i : nodes[i];
        long value = load_one(file, node, pid, pids ? &pids[i] : 0);
        if (value < 0)
            return nx_set_errno(-value);
    }
    return number;
}

long nx_loadve(long nodes[], long count, long pid, long pids[], const char *file, char *argv[], char *envp[])
{
    (void)envp;
    if (argv && argv[0] && argv[1])
        return nx_set_errno(nx_error_bad_argument);
    return nx_load(nodes, count, pid, pids, file);
}
