/* SPDX-License-Identifier: MIT */
/* The Fortran name of load; its text comes blank-padded, with its length behind the other arguments. */
#include "userlib/fortran/binding.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/this_process.h"

#include <string.h>

int nx_load_(const int nodes[], const int *count, const int *pid, int pids[], const char *file, size_t length)
{
    const struct nx_node_list list = {0, *count == -1 ? 0 : nodes, *count == -1 ? nx_process.nodes : *count};
    if (!nx_is_length(list.count))
        return (int)nx_set_errno(nx_error_bad_length);
    long loaded = nx_load_list(file, strnlen(file, length), &list, *pid);
    if (loaded < 0)
        return (int)nx_set_errno(-loaded);
    for (int i = 0; i < loaded; i++)
        pids[i] = (int)nx_listed_node(&list, i) + 1;
    return (int)loaded;
}

void load_(const char *file, const int *node, const int *pid, size_t length)
{
    long value = nx_load_program(file, strnlen(file, length), *node, *pid);
    if (value < 0)
        nx_fail_load(*node, *pid, -value);
}
