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
    if (id <= 0 || (!info && !send_id))
        return id;
    if (nx_add_companion((struct nx_companion){.id = id, .send_id = (int)send_id, .info = info}))
        return id;
    NX_CALL(cancel, id);
    return -nx_error_no_ids;
}

static inline void note(const struct nx_companion *companion, struct parley_receive_status found)
{
    if (parley_receive_status_type(found) == -1)
        return;
    long *info = companion && companion->info ? companion->info : msginfo;
    nx_note_found(info, found);
    for (int i = 0; companion && companion->narrow && i < 4; i++)
        companion->narrow[i] = (int)info[i];
}

/* A request is over, and that is what it has answered: an arrival is noted, the first failure of a chain is
 * left in *error. Answers the id of the request that ends together with this one, or 0. */
static long end_request(struct nx_companion *companion, struct parley_receive_status found, long *error)
{
    if (found.contents >= 0)
        note(companion, found);
    else if (!*error)
        *error = found.contents;
    if (!companion)
        return 0;
    if (companion->error)
        *error = companion->error;
    const long other = companion->send_id;
    nx_remove_companion(companion);
    return other;
}

/* A request has ended with that answer; all that end together with it are waited for, also when some have
 * failed. 0 or minus an error. */
static __attribute__((noinline)) long finish_others(struct nx_companion *companion,
                                                    struct parley_receive_status found)
{
    long error = 0;
    for (long id; (id = end_request(companion, found, &error));) {
        found = nx_wait(id);
        companion = nx_find_companion(id);
    }
    return error;
}

long nx_finish(long id)
{
    const struct parley_receive_status found = nx_wait((int)id);
    struct nx_companion *companion = nx_find_companion((int)id);
    if (__builtin_expect(companion || found.contents < 0, 0))
        return finish_others(companion, found);
    note(0, found);
    return 0;
}

/* Whether all have ended that end together with the companion's request. What has failed is kept until that
 * one has ended as well. */
static int others_are_finished(struct nx_companion **companion)
{
    const long id = (*companion)->id, value = nx_is_finished((*companion)->send_id);
    if (value == 0)
        return 0;
    *companion = nx_find_companion(id); /* the table may have changed */
    (*companion)->send_id = 0;
    if (value < 0 && !(*companion)->error)
        (*companion)->error = (int)value;
    return 1;
}

long nx_is_finished(long id)
{
    struct nx_companion *companion = nx_find_companion((int)id);
    if (companion && companion->send_id && !others_are_finished(&companion))
        return 0;
    const struct parley_receive_status found = NX_CALL(done, (int)id);
    if (found.contents == -nx_error_would_block)
        return 0;
    long error = 0;
    end_request(companion, found, &error);
    return error < 0 ? error : 1;
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
