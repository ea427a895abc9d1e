/* SPDX-License-Identifier: MIT */
/* The Fortran name of load; its text comes blank-padded, with its length behind the other arguments. */
#include "userlib/fortran/binding.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <string.h>

int nx_load_(const int nodes[], const int *count, const int *pid, int pids[], const char *file, size_t length)
{
    int number = *count == -1 ? nx_process.nodes : *count;
    for (int i = 0; i < number; i++) {
        int node = *count == -1 ? i : nodes[i];
        long value = nx_load_program(file, strnlen(file, length), node, *pid);
        if (value < 0)
            return (int)nx_set_errno(-value);
        pids[i] = node + 1;
    }
    return number;
}

void load_(const char *file, const int *node, const int *pid, size_t length)
{
    long value = nx_load_program(file, strnlen(file, length), *node, *pid);
    if (value < 0)
        nx_fail_load(*node, *pid, -value);
}
