/* SPDX-License-Identifier: MIT */
/* gopf: a reduction whose way of combining the program brings. */
#include "userlib/collective/reduce.h"

#include <nx.h>

struct program_combiner {
    struct nx_combiner combiner; /* first, so that a pointer to it is a pointer to the whole */
    long (*combine)(char *x, char *work);
};

static void combine_by_program(const struct nx_combiner *self, void *x, void *other)
{
    ((const struct program_combiner *)self)->combine(x, other);
}

void gopf(void *x, long bytes, void *work, long (*combine)(char *x, char *work))
{
    struct program_combiner combiner = {{.combine = combine_by_program}, combine};
    nx_reduce(parley_library_call_gopf, &combiner.combiner, bytes, 1, x, work);
}

long _gopf(void *x, long bytes, void *work, long (*combine)(char *x, char *work))
{
    if (!nx_is_length(bytes))
        return nx_set_errno(nx_error_bad_length);
    gopf(x, bytes, work, combine);
    return 0;
}
