/* SPDX-License-Identifier: MIT */
/* Calls that do more than one thing: csendrecv, isendrecv, gsendx. The send of an exchange is started, not
 * waited for, before the receive, so that two nodes may exchange under designs whose csend waits for
 * delivery. */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/requests.h"

#include <nx.h>

long _isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum)
{
    long send_id = _isend(type, buffer, length, node, pid);
    if (send_id < 0)
        return send_id;
    long id = nx_begin_receive(typesel, reply, maximum, nx_any, nx_any, 0, send_id);
    return id < 0 ? nx_set_errno(-id) : id;
}

long isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum)
{
    long send_id = isend(type, buffer, length, node, pid);
    long id = nx_begin_receive(typesel, reply, maximum, nx_any, nx_any, 0, send_id);
    if (id < 0)
        nx_fail_receive("isendrecv", typesel, maximum, nx_any, nx_any, -id);
    return id;
}

long csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum)
{
    long id = isend(type, buffer, length, node, pid);
    crecv(typesel, reply, maximum);
    long value = nx_length_or_error(nx_wait(id));
    if (value < 0)
        nx_fail_send("csendrecv", type, length, node, pid, -value);
    return infocount();
}

long _csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum)
{
    long id = _isend(type, buffer, length, node, pid);
    if (id < 0)
        return id;
    long received = _crecv(typesel, reply, maximum);
    long sent = nx_length_or_error(nx_wait(id));
    if (received >= 0 && sent < 0)
        return nx_set_errno(-sent);
    return received < 0 ? received : infocount();
}

void gsendx(long type, const void *buffer, long length, long nodes[], long count)
{
    nx_check_node_count("gsendx", count);
    for (long i = 0; i < count; i++)
        csend(type, buffer, length, nodes[i], mypid());
}

long _gsendx(long type, const void *buffer, long length, long nodes[], long count)
{
    if (!nx_is_length(count))
        return nx_set_errno(nx_error_bad_length);
    for (long i = 0; i < count; i++)
        if (_csend(type, buffer, length, nodes[i], mypid()) < 0)
            return -1;
    return 0;
}
