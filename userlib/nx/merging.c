/* SPDX-License-Identifier: MIT */
/* msgmerge: one id for two requests. msgignore: a request that nobody will ask about. */
#include "userlib/nx/companions.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/requests.h"

#include <nx.h>

enum { most_ignored = 1024 };

static long ignored[most_ignored];
static int ignored_count;

/* The last id of the chain that begins with this one. Chains have no circles: merge() sees to it. */
static long end_of_chain(long id)
{
    const struct nx_companion *companion;
    while ((companion = nx_find_companion(id)) && companion->send_id)
        id = companion->send_id;
    return id;
}

/* The second id's chain of companions gets the first id as its last; -1 stands for no request. */
static long merge(long first, long second)
{
    if ((int)first == -1 || (int)second == -1)
        return (int)first == -1 ? (int)second : (int)first;
    const long last = end_of_chain((int)second);
    if (end_of_chain((int)first) == last)
        return -nx_error_bad_id; /* they are one request already */
    struct nx_companion *companion = nx_find_companion(last);
    if (companion)
        companion->send_id = (int)first;
    else if (!nx_add_companion((struct nx_companion){.id = last, .send_id = (int)first}))
        return -nx_error_no_ids;
    return (int)second;
}

long msgmerge(long first, long second)
{
    long id = merge(first, second);
    if (id < -1)
        nx_fail_id("msgmerge", second, -id);
    return id;
}

long _msgmerge(long first, long second)
{
    long id = merge(first, second);
    return id < -1 ? nx_set_errno(-id) : id;
}

void nx_forget_ignored(void)
{
    int kept = 0;
    for (int i = 0; i < ignored_count; i++)
        if (nx_yes_or_no(NX_CALL(done, ignored[i])) == 0)
            ignored[kept++] = ignored[i];
    ignored_count = kept;
}

static long ignore(long id)
{
    nx_forget_ignored();
    long done = nx_yes_or_no(NX_CALL(done, (int)id));
    if (done != 0)
        return done < 0 ? done : 0;
    if (ignored_count == most_ignored)
        return -nx_error_no_ids;
    ignored[ignored_count++] = (int)id;
    return 0;
}

void msgignore(long id)
{
    long value = ignore(id);
    if (value < 0)
        nx_fail_id("msgignore", id, -value);
}

long _msgignore(long id)
{
    long value = ignore(id);
    return value < 0 ? nx_set_errno(-value) : 0;
}
