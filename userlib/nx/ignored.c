/* SPDX-License-Identifier: MIT */
/* msgignore: a request that nobody will ask about. */
#include "userlib/nx/ignored.h"

#include "userlib/nx/companions.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

enum { most_ignored = 1024 }; /* as many requests as a process has at a time */

/* Each request of a merged id is listed by itself. None of these has a companion any more, so nobody is told
 * what has arrived. */
static long ignored[most_ignored];
static int ignored_count;

int nx_forget_ignored(void)
{
    int kept = 0;
    for (int i = 0; i < ignored_count; i++)
        if (nx_yes_or_no(NX_CALL(done, ignored[i])) == 0)
            ignored[kept++] = ignored[i];
    const int forgotten = ignored_count - kept;
    ignored_count = kept;
    return forgotten;
}

int nx_may_be_made_again(long value)
{
    if (value == -nx_error_interrupted) {
        nx_attend_in_call();
        return 1;
    }
    return value == -nx_error_no_ids && nx_forget_ignored() > 0;
}

/* 0 or minus an error: the id is none, or that request has failed already. */
static long ignore_one(long id)
{
    const long done = nx_yes_or_no(NX_CALL(done, id));
    if (done != 0)
        return done < 0 ? done : 0;
    for (int i = 0; i < ignored_count; i++)
        if (ignored[i] == id)
            return 0;
    /* The table may be full of requests that have ended: by themselves, or by msgcancel or msgwait. */
    if (ignored_count == most_ignored && nx_forget_ignored() == 0)
        return -nx_error_no_ids;
    ignored[ignored_count++] = id;
    return 0;
}

/* The request of this id, and all that should have ended together with it. 0 or the first error, minus. */
static long ignore(long id)
{
    long error = 0;
    do {
        const long value = ignore_one(id);
        if (!error)
            error = value;
        id = nx_separate(id);
    } while (id);
    return error;
}

void msgignore(long id)
{
    long value = ignore((int)id);
    if (value < 0)
        nx_fail_id("msgignore", id, -value);
}

long _msgignore(long id)
{
    long value = ignore((int)id);
    return value < 0 ? nx_set_errno(-value) : 0;
}
