/* SPDX-License-Identifier: MIT */
/* All message calls with a check before each. For a source that has defined `static void check_caller(void)`,
 * which does not return where the caller may not call: it has its own copy of everything here. */
#ifndef PARLEY_NX_WATCHED_CALLS_H
#define PARLEY_NX_WATCHED_CALLS_H

#include "userlib/nx/this_process.h"

static struct {
    struct nx_short_ways short_ways;
    struct parley_calls calls; /* what was bound before */
} unwatched;

static void watched_csend(long type, const void *buffer, long length, long node, long pid)
{
    check_caller();
    unwatched.short_ways.csend(type, buffer, length, node, pid);
}

static void watched_crecv(long typesel, void *buffer, long maximum)
{
    check_caller();
    unwatched.short_ways.crecv(typesel, buffer, maximum);
}

static void watched_crecvp(long typesel, void **buffer, long maximum)
{
    check_caller();
    unwatched.short_ways.crecvp(typesel, buffer, maximum);
}

/* Any message call: one that takes fewer words does not see the others, and one that answers a long leaves
 * the second word of the answer as it is. */
typedef struct parley_receive_status (*any_call)(void *self, long, long, long, long, long);

#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)                                   \
    static struct parley_receive_status watched_##name(void *self, long a, long b, long c, long d, long e) \
    {                                                                                                      \
        check_caller();                                                                                    \
        return ((any_call)(void (*)(void))unwatched.calls.name)(self, a, b, c, d, e);                      \
    }
#include "interface/calls.def"

/* Binds the calls that check, in place of those that are bound now. */
static void watch_calls(void)
{
    unwatched.short_ways = nx_process.short_ways;
    unwatched.calls = nx_process.calls;
    nx_process.short_ways = (struct nx_short_ways){watched_csend, watched_crecv, watched_crecvp};
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    nx_process.calls.name =                                              \
        (parley_answer_##answer(*)(void *, PARLEY_WORDS parameters))(void (*)(void))watched_##name;
#include "interface/calls.def"
}

#endif
