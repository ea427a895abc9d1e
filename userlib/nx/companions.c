/* SPDX-License-Identifier: MIT */
#include "userlib/nx/companions.h"

enum { most_companions = 1024 };

static struct nx_companion companions[most_companions];
static int companion_count;

int nx_add_companion(struct nx_companion companion)
{
    if (companion_count == most_companions)
        return 0;
    companions[companion_count++] = companion;
    return 1;
}

struct nx_companion *nx_find_companion(long id)
{
    for (int i = 0; i < companion_count; i++)
        if (companions[i].id == id)
            return &companions[i];
    return 0;
}

void nx_remove_companion(struct nx_companion *companion)
{
    *companion = companions[--companion_count];
}

long nx_separate(long id)
{
    struct nx_companion *companion = nx_find_companion(id);
    if (!companion)
        return 0;
    const long other = companion->send_id;
    nx_remove_companion(companion);
    return other;
}
