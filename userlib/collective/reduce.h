/* SPDX-License-Identifier: MIT */
/* A reduction of n elements to one vector on every node, given how two elements combine. */
#ifndef PARLEY_NX_REDUCE_H
#define PARLEY_NX_REDUCE_H

#include "userlib/collective/carrier.h"
#include "userlib/collective/tree.h"
#include "userlib/nx/failure.h"

static inline void nx_reduce(enum parley_library_call call, const struct nx_combiner *combiner, void *x,
                             void *work)
{
    if (combiner->bytes < 0)
        nx_fail(nx_library_call_name(call), nx_error_bad_length);
    nx_combine_everywhere(call, combiner, x, work);
}

/* Defines `name(x, n, work)`, an NX reduction for C; `expression` combines the elements a and b. */
#define NX_REDUCTION(name, type, expression)                                               \
    static void combine_##name(const struct nx_combiner *self, void *x, void *other)       \
    {                                                                                      \
        type *ours = x;                                                                    \
        const type *theirs = other;                                                        \
        for (long i = 0; i < self->bytes / (long)sizeof(type); i++) {                      \
            type a = ours[i], b = theirs[i];                                               \
            ours[i] = (expression);                                                        \
        }                                                                                  \
    }                                                                                      \
    void name(type x[], long n, type work[])                                               \
    {                                                                                      \
        struct nx_combiner combiner = {combine_##name, (long)(int)n * (long)sizeof(type)}; \
        nx_reduce(parley_library_call_##name, &combiner, x, work);                         \
    }                                                                                      \
    long _##name(type x[], long n, type work[])                                            \
    {                                                                                      \
        if ((int)n < 0)                                                                    \
            return nx_set_errno(nx_error_bad_length);                                      \
        name(x, n, work);                                                                  \
        return 0;                                                                          \
    }

/* The same for Fortran: the count by reference. */
#define NX_FORTRAN_REDUCTION(name, type, expression)                                   \
    static void combine_##name(const struct nx_combiner *self, void *x, void *other)   \
    {                                                                                  \
        type *ours = x;                                                                \
        const type *theirs = other;                                                    \
        for (long i = 0; i < self->bytes / (long)sizeof(type); i++) {                  \
            type a = ours[i], b = theirs[i];                                           \
            ours[i] = (expression);                                                    \
        }                                                                              \
    }                                                                                  \
    void name##_(type x[], const int *n, type work[]);                                 \
    void name##_(type x[], const int *n, type work[])                                  \
    {                                                                                  \
        struct nx_combiner combiner = {combine_##name, (long)*n * (long)sizeof(type)}; \
        nx_reduce(parley_library_call_##name, &combiner, x, work);                     \
    }

#endif
