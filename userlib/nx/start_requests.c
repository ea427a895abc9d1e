/* SPDX-License-Identifier: MIT */
/* isend, irecv, irecvx. */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/requests.h"

#include <nx.h>

long isend(long type, const void *buffer, long length, long node, long pid)
{
    long id = nx_begin_send(type, buffer, length, node, pid);
    if (id < 0)
        nx_fail_send("isend", type, length, node, pid, -id);
    return id;
}

long _isend(long type, const void *buffer, long length, long node, long pid)
{
    long id = nx_begin_send(type, buffer, length, node, pid);
    return id < 0 ? nx_set_errno(-id) : id;
}

long irecv(long typesel, void *buffer, long maximum)
{
    long id = nx_begin_receive(typesel, buffer, maximum, nx_any, nx_any, 0, 0);
    if (id < 0)
        nx_fail_receive("irecv", typesel, maximum, nx_any, nx_any, -id);
    return id;
}

long _irecv(long typesel, void *buffer, long maximum)
{
    long id = nx_begin_receive(typesel, buffer, maximum, nx_any, nx_any, 0, 0);
    return id < 0 ? nx_set_errno(-id) : id;
}

long irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    long id = nx_begin_receive(typesel, buffer, maximum, nodesel, pidsel, info, 0);
    if (id < 0)
        nx_fail_receive("irecvx", typesel, maximum, nodesel, pidsel, -id);
    return id;
}

long _irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    long id = nx_begin_receive(typesel, buffer, maximum, nodesel, pidsel, info, 0);
    return id < 0 ? nx_set_errno(-id) : id;
}
