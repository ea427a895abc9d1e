/* SPDX-License-Identifier: MIT */
/* The Fortran names of the message calls: one trailing underscore, every argument by reference, INTEGER*4. */
#include <nx.h>
#include <stdint.h>

#include "userlib/fortran/binding.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/requests.h"

void csend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid)
{
    csend(*type, buffer, *length, *node, *pid);
}

void crecv_(const int *typesel, void *buffer, const int *maximum)
{
    crecv(*typesel, buffer, *maximum);
}

int csendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
               const int *typesel, void *reply, const int *maximum)
{
    return (int)csendrecv(*type, buffer, *length, *node, *pid, *typesel, reply, *maximum);
}

int isend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid)
{
    return (int)isend(*type, buffer, *length, *node, *pid);
}

int irecv_(const int *typesel, void *buffer, const int *maximum)
{
    return (int)irecv(*typesel, buffer, *maximum);
}

int isendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
               const int *typesel, void *reply, const int *maximum)
{
    return (int)isendrecv(*type, buffer, *length, *node, *pid, *typesel, reply, *maximum);
}

void nx_narrow_gsendx(long type, const void *buffer, long length, const int nodes[], long count)
{
    nx_check_node_count("gsendx", count);
    for (long i = 0; i < count; i++)
        nx_must_send_to_listed(type, buffer, length, nodes[i]);
}

long nx_narrow__gsendx(long type, const void *buffer, long length, const int nodes[], long count)
{
    long value = nx_is_length(count) ? 0 : -nx_error_bad_length;
    for (long i = 0; i < count && value >= 0; i++)
        value = nx_send_to_listed(type, buffer, length, nodes[i]);
    return value < 0 ? nx_set_errno(-value) : 0;
}

void gsendx_(const int *type, const void *buffer, const int *length, const int nodes[], const int *count)
{
    nx_narrow_gsendx(*type, buffer, *length, nodes, *count);
}

int msgdone_(const int *id)
{
    return (int)msgdone(*id);
}

void msgwait_(const int *id)
{
    msgwait(*id);
}

void msgcancel_(const int *id)
{
    msgcancel(*id);
}

int msgmerge_(const int *first, const int *second)
{
    return (int)msgmerge(*first, *second);
}

void msgignore_(const int *id)
{
    msgignore(*id);
}

int iprobe_(const int *typesel)
{
    return (int)iprobe(*typesel);
}

void cprobe_(const int *typesel)
{
    cprobe(*typesel);
}
