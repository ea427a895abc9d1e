/* SPDX-License-Identifier: MIT */
/* gsync: a collective call that combines nothing. */
#include "userlib/collective/tree.h"

#include <nx.h>

static void combine_nothing(const struct nx_combiner *self, void *x, void *other)
{
    (void)self;
    (void)x;
    (void)other;
}

void gsync(void)
{
    static const struct nx_combiner nothing = {.combine = combine_nothing, .bytes = 0};
    nx_combine_everywhere(parley_library_call_gsync, &nothing, 0, 0);
}

long _gsync(void)
{
    gsync();
    return 0;
}
