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

void waitone_(const int *node, const int *pid, int *ended_node, int *ended_pid, int *status)
{
    long wide[3];
    waitone(*node, *pid, &wide[0], &wide[1], &wide[2]);
    *ended_node = (int)wide[0];
    *ended_pid = (int)wide[1];
    *status = (int)wide[2];
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
