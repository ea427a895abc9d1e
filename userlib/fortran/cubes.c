/* SPDX-License-Identifier: MIT */
/* Host programs in Fortran: texts come blank-padded, with their lengths behind the other arguments. */
#include <nx.h>
#include <stddef.h>

#include "interface/option_words.h"
#include "userlib/fortran/binding.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"

void getcube_(const char *name, const char *type, const char *manager, const int *keep, size_t name_length,
              size_t type_length, size_t manager_length)
{
    (void)name, (void)manager, (void)keep, (void)name_length, (void)manager_length;
    if (nx_check_cube(type, type_length) < 0)
        nx_end("parley: getcube: the cube has more nodes than this job: say " PARLEY_ASK_NODES
               " when you start it\n");
}

void attachcube_(const char *name, size_t length)
{
    (void)name, (void)length;
}

void relcube_(const char *name, size_t length)
{
    (void)name, (void)length;
}

void setpid_(const int *pid)
{
    setpid(*pid);
}

void setptype_(const int *pid)
{
    setpid(*pid);
}

void waitall_(const int *node, const int *pid)
{
    waitall(*node, *pid);
}

static void narrow(int *const to[3], const long from[3])
{
    for (int i = 0; i < 3; i++)
        if (to[i])
            *to[i] = (int)from[i];
}

void nx_narrow_waitone(long node, long pid, int *ended_node, int *ended_pid, int *status)
{
    long wide[3];
    waitone(node, pid, &wide[0], &wide[1], &wide[2]);
    narrow((int *const[]){ended_node, ended_pid, status}, wide);
}

long nx_narrow__waitone(long node, long pid, int *ended_node, int *ended_pid, int *status)
{
    long wide[3];
    const long value = _waitone(node, pid, &wide[0], &wide[1], &wide[2]);
    if (value >= 0)
        narrow((int *const[]){ended_node, ended_pid, status}, wide);
    return value;
}

void waitone_(const int *node, const int *pid, int *ended_node, int *ended_pid, int *status)
{
    nx_narrow_waitone(*node, *pid, ended_node, ended_pid, status);
}

void killcube_(const int *node, const int *pid)
{
    killcube(*node, *pid);
}

void killproc_(const int *node, const int *pid)
{
    killproc(*node, *pid);
}

void flushmsg_(const int *typesel, const int *node, const int *pid)
{
    flushmsg(*typesel, *node, *pid);
}
