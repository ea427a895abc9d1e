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

NX_INLINE struct parley_receive_status receive_reply(long typesel, void *reply, long maximum)
{
    const struct parley_receive_status found =
        nx_receive((int)typesel, reply, maximum, nx_any, nx_address(nx_any, nx_program));
    if (found.contents >= 0)
        nx_note_found(msginfo, found);
    return found;
}

long _isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum)
{
    long send_id = nx_begin_send(type, buffer, length, node, pid);
    if (send_id < 0)
        return nx_set_errno(-send_id);
    long id = nx_begin_receive(typesel, reply, maximum, nx_any, nx_any, 0, send_id);
    if (id >= 0)
        return id;
    NX_CALL(cancel, send_id); /* the message is on its way; its id nobody would ask about */
    return nx_set_errno(-id);
}

long isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum)
{
    long send_id = nx_begin_send(type, buffer, length, node, pid);
    if (send_id < 0)
        nx_fail_send("isendrecv", type, length, node, pid, -send_id);
    long id = nx_begin_receive(typesel, reply, maximum, nx_any, nx_any, 0, send_id);
    if (id < 0)
        nx_fail_receive("isendrecv", typesel, maximum, nx_any, nx_any, -id);
    return id;
}

long csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum)
{
    long id = nx_begin_send(type, buffer, length, node, pid);
    if (id < 0)
        nx_fail_send("csendrecv", type, length, node, pid, -id);
    const struct parley_receive_status found = receive_reply(typesel, reply, maximum);
    if (found.contents < 0)
        nx_fail_receive("csendrecv", typesel, maximum, nx_any, nx_any, -found.contents);
    long sent = nx_length_or_error(nx_wait(id));
    if (sent < 0)
        nx_fail_send("csendrecv", type, length, node, pid, -sent);
    return parley_receive_status_length(found);
}

long _csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum)
{
    long id = nx_begin_send(type, buffer, length, node, pid);
    if (id < 0)
        return nx_set_errno(-id);
    long received = nx_length_or_error(receive_reply(typesel, reply, maximum));
    long sent = nx_length_or_error(nx_wait(id));
    if (received < 0)
        return nx_set_errno(-received);
    return sent < 0 ? nx_set_errno(-sent) : received;
}

long nx_send_to_listed(long type, const void *buffer, long length, long node)
{
    return nx_send((int)type, buffer, length, (int)node, nx_address(mypid(), nx_program));
}

void nx_must_send_to_listed(long type, const void *buffer, long length, long node)
{
    long value = nx_send_to_listed(type, buffer, length, node);
    if (value < 0)
        nx_fail_send("gsendx", type, length, node, mypid(), -value);
}

void gsendx(long type, const void *buffer, long length, long nodes[], long count)
{
    nx_check_node_count("gsendx", count);
    for (long i = 0; i < count; i++)
        nx_must_send_to_listed(type, buffer, length, nodes[i]);
}

long _gsendx(long type, const void *buffer, long length, long nodes[], long count)
{
    long value = nx_is_length(count) ? 0 : -nx_error_bad_length;
    for (long i = 0; i < count && value >= 0; i++)
        value = nx_send_to_listed(type, buffer, length, nodes[i]);
    return value < 0 ? nx_set_errno(-value) : 0;
}
