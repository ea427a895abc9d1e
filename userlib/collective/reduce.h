/* SPDX-License-Identifier: MIT */
/* A reduction of n elements to one vector on every node, given how two elements combine. */
#ifndef PARLEY_NX_REDUCE_H
#define PARLEY_NX_REDUCE_H

#include "userlib/collective/carrier.h"
#include "userlib/collective/tree.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"

/* `count`: elements that the program has named, of `size` bytes each. */
static inline void nx_reduce(enum parley_library_call call, struct nx_combiner *combiner, long count,
                             long size, void *x, void *work)
{
    if (!nx_is_length(count))
        nx_fail(nx_library_call_name(call), nx_error_bad_length);
    combiner->bytes = count * size;
    nx_combine_everywhere(call, combiner, x, work);
}

/* Defines combine_name, which combines the elements a and b by `expression`, and reduce_name, which reduces
 * n of them. */
#define NX_COMBINED(name, type, expression)                                               \
    static void combine_##name(const struct nx_combiner *self, void *x, void *other)      \
    {                                                                                     \
        type *ours = x;                                                                   \
        const type *theirs = other;                                                       \
        for (long i = 0; i < self->bytes / (long)sizeof(type); i++) {                     \
            type a = ours[i], b = theirs[i];                                              \
            ours[i] = (expression);                                                       \
        }                                                                                 \
    }                                                                                     \
    static void reduce_##name(type x[], long n, type work[])                              \
    {                                                                                     \
        struct nx_combiner combiner = {.combine = combine_##name};                        \
        nx_reduce(parley_library_call_##name, &combiner, n, (long)sizeof(type), x, work); \
    }

/* Defines `twin(x, n, work)`, which returns -1 where the reduction `name` would end the program. */
#define NX_RETURNING(twin, name, type)                \
    long twin(type x[], long n, type work[])          \
    {                                                 \
        if (!nx_is_length(n))                         \
            return nx_set_errno(nx_error_bad_length); \
        reduce_##name(x, n, work);                    \
        return 0;                                     \
    }

/* Defines `name(x, n, work)`, an NX reduction for C. */
#define NX_REDUCTION(name, type, expression) \
    NX_COMBINED(name, type, expression)      \
    void name(type x[], long n, type work[]) \
    {                                        \
        reduce_##name(x, n, work);           \
    }                                        \
    NX_RETURNING(_##name, name, type)

/* Defines the reduction for Fortran: the count comes by reference. */
#define NX_FORTRAN_REDUCTION(name, type, expression)   \
    NX_COMBINED(name, type, expression)                \
    void name##_(type x[], const int *n, type work[]); \
    void name##_(type x[], const int *n, type work[])  \
    {                                                  \
        reduce_##name(x, *n, work);                    \
    }

/* Fortran's INTEGER*4, and what C makes of a call with pointers to int (nx_narrow.h). */
#define NX_INTEGER_REDUCTION(name, type, expression)     \
    NX_FORTRAN_REDUCTION(name, type, expression)         \
    void nx_narrow_##name(type x[], long n, type work[]) \
    {                                                    \
        reduce_##name(x, n, work);                       \
    }                                                    \
    NX_RETURNING(nx_narrow__##name, name, type)

#endif
