/* SPDX-License-Identifier: MIT */
/* The Fortran name of load; its text comes blank-padded, with its length behind the other arguments. */
#include "userlib/fortran/binding.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"

void load_(const char *file, const int *node, const int *pid, size_t length)
{
    long value = nx_load(file, length, *node, *pid);
    if (value < 0)
        nx_fail_process("load", *node, *pid, -value);
}
