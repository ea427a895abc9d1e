/* SPDX-License-Identifier: MIT */
#include "userlib/nx/requests.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/companions.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

long nx_begin_receive(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long *info,
                      long send_id)
{
    long address = nx_address(pidsel, nx_program);
    long id = nx_start_receive((int)typesel, buffer, maximum, (int)nodesel, address);
    if (id == -nx_error_no_ids) {
        nx_forget_ignored();
        id = nx_start_receive((int)typesel, buffer, maximum, (int)nodesel, address);
    }
    if (id <= 0 || (!info && !send_id))
        return id;
    if (nx_add_companion((struct nx_companion){.id = id, .send_id = send_id, .info = info}))
        return id;
    NX_CALL(cancel, id);
    return -nx_error_no_ids;
}

static void note(const struct nx_companion *companion, struct parley_receive_status found)
{
    if (parley_receive_status_type(found) == -1)
        return;
    long *info = companion && companion->info ? companion->info : msginfo;
    nx_note_found(info, found);
    for (int i = 0; companion && companion->narrow && i < 4; i++)
        companion->narrow[i] = (int)info[i];
}

/* The request is over: its arrival is noted, and its send half, if it has one, is waited for. */
static void end_request(long id, struct parley_receive_status found)
{
    struct nx_companion *companion = nx_find_companion(id);
    note(companion, found);
    if (!companion)
        return;
    long send_id = companion->send_id;
    nx_remove_companion(companion);
    if (send_id)
        nx_finish(send_id);
}

long nx_finish(long id)
{
    const struct parley_receive_status found = nx_wait((int)id);
    if (found.contents < 0)
        return found.contents;
    end_request((int)id, found);
    return 0;
}

long nx_is_finished(long id)
{
    struct nx_companion *companion = nx_find_companion((int)id);
    if (companion && companion->send_id) {
        long sent = nx_is_finished(companion->send_id);
        if (sent <= 0)
            return sent;
        companion = nx_find_companion((int)id); /* the table may have changed */
        companion->send_id = 0;
    }
    const struct parley_receive_status found = NX_CALL(done, (int)id);
    if (found.contents >= 0)
        end_request((int)id, found);
    return nx_yes_or_no(found);
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

/* The request of this id, and all that should have ended together with it. Each is cancelled whatever became
 * of the others. 0 or the first error, minus. */
static long cancel(long id)
{
    long error = 0;
    do {
        const long value = NX_CALL(cancel, id);
        if (!error)
            error = value;
        id = nx_separate(id);
    } while (id);
    return error;
}

void msgcancel(long id)
{
    long value = cancel((int)id);
    if (value < 0)
        nx_fail_id("msgcancel", id, -value);
}

long _msgcancel(long id)
{
    long value = cancel((int)id);
    return value < 0 ? nx_set_errno(-value) : 0;
}
