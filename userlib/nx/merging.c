/* SPDX-License-Identifier: MIT */
/* msgmerge: one id for two requests. */
#include "userlib/nx/companions.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/requests.h"

#include <nx.h>

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
