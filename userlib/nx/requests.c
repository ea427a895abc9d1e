/* SPDX-License-Identifier: MIT */
#include "userlib/nx/requests.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/companions.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

long nx_begin_receive(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long *info, long send_id)
{
    long id = nx_start_receive((int)typesel, buffer, (int)maximum, (int)nodesel, nx_address(pidsel, nx_program)).value;
    if (id <= 0 || (!info && !send_id))
        return id;
    if (nx_add_companion((struct nx_companion){.id = id, .send_id = send_id, .info = info}))
        return id;
    nx_cancel(id);
    return -nx_error_no_ids;
}

/* Where the arrival for this id is noted. The companion goes, and its send is waited for: the message it sent was
 * answered, or at least it left before the receive ended. */
static long *end_companion(long id)
{
    struct nx_companion *companion = nx_find_companion(id);
    if (!companion)
        return msginfo;
    long *info = companion->info ? companion->info : msginfo;
    long send_id = companion->send_id;
    nx_remove_companion(companion);
    if (send_id)
        nx_wait(send_id);
    return info;
}

long nx_finish(long id)
{
    struct parley_reply reply = nx_wait((int)id);
    if (reply.value < 0)
        return reply.value;
    long *info = end_companion((int)id);
    if ((int)reply.type != -1)
        nx_note_arrival(info, &reply, reply.value);
    return 0;
}

long nx_is_finished(long id)
{
    struct nx_companion *companion = nx_find_companion((int)id);
    if (companion && companion->send_id) {
        long sent = nx_done(companion->send_id).value;
        if (sent <= 0)
            return sent;
        companion->send_id = 0;
    }
    struct parley_reply reply = nx_done((int)id);
    if (reply.value <= 0)
        return reply.value;
    long *info = end_companion((int)id);
    if ((int)reply.type != -1)
        nx_note_arrival(info, &reply, reply.block);
    return 1;
}

void msgwait(long id)
{
    long value = nx_finish(id);
    if (value < 0)
        nx_fail_id("msgwait", id, -value);
}

long _msgwait(long id)
{
    long value = nx_finish(id);
    return value < 0 ? nx_set_errno(-value) : 0;
}

long msgdone(long id)
{
    long value = nx_is_finished(id);
    if (value < 0)
        nx_fail_id("msgdone", id, -value);
    return value;
}

long _msgdone(long id)
{
    long value = nx_is_finished(id);
    return value < 0 ? nx_set_errno(-value) : value;
}

static long cancel(long id)
{
    struct nx_companion *companion = nx_find_companion((int)id);
    if (companion) {
        if (companion->send_id)
            nx_cancel(companion->send_id);
        nx_remove_companion(companion);
    }
    return nx_cancel((int)id).value;
}

void msgcancel(long id)
{
    long value = cancel(id);
    if (value < 0)
        nx_fail_id("msgcancel", id, -value);
}

long _msgcancel(long id)
{
    long value = cancel(id);
    return value < 0 ? nx_set_errno(-value) : 0;
}
