/* SPDX-License-Identifier: MIT */
#include "userlib/nx/handler_watch.h"

#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <stddef.h>
#include <stdio.h>

static const unsigned long standing = 0x48414e444c455221; /* of a frame that nobody has written over */

static struct {
    struct nx_short_ways short_ways;
    struct parley_calls calls; /* what is bound while no handler runs */
    struct nx_handler_frame *frame;
    const char *call;
} watched;

static _Noreturn void refuse(void)
{
    char line[400];
    const char *call = watched.call;
    nx_end_handler_watch();
    snprintf(
        line, sizeof line,
        "parley: node %d, pid %d: a handler of %s has not returned: it has jumped out (longjmp), and the "
        "call that it interrupted stays half done. Let it set a variable and return\n",
        nx_process.node, nx_process.pid, call);
    nx_end(line);
}

/* Whoever calls from inside the handler stands below the frame, and has left it as it was. */
static inline __attribute__((always_inline)) void check_frame(void)
{
    const void *here = __builtin_frame_address(0);
    if ((const char *)here > (const char *)watched.frame || watched.frame->mark != standing)
        refuse();
}

static void watched_csend(long type, const void *buffer, long length, long node, long pid)
{
    check_frame();
    watched.short_ways.csend(type, buffer, length, node, pid);
}

static void watched_crecv(long typesel, void *buffer, long maximum)
{
    check_frame();
    watched.short_ways.crecv(typesel, buffer, maximum);
}

static void watched_crecvp(long typesel, void **buffer, long maximum)
{
    check_frame();
    watched.short_ways.crecvp(typesel, buffer, maximum);
}

/* Any message call: one that takes fewer words does not see the others, and one that answers a long leaves
 * the second word of the answer as it is. */
typedef struct parley_receive_status (*any_call)(void *self, long, long, long, long, long);

#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)                                   \
    static struct parley_receive_status watched_##name(void *self, long a, long b, long c, long d, long e) \
    {                                                                                                      \
        check_frame();                                                                                     \
        return ((any_call)(void (*)(void))watched.calls.name)(self, a, b, c, d, e);                        \
    }
#include "interface/calls.def"

static void watch_calls(struct parley_calls *calls)
{
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    calls->name = (parley_answer_##answer(*)(void *, PARLEY_WORDS parameters))(void (*)(void))watched_##name;
#include "interface/calls.def"
}

void nx_begin_handler_watch(struct nx_handler_frame *frame, const char *call)
{
    frame->mark = standing;
    watched.short_ways = nx_process.short_ways;
    watched.calls = nx_process.calls;
    watched.frame = frame;
    watched.call = call;
    nx_process.short_ways = (struct nx_short_ways){watched_csend, watched_crecv, watched_crecvp};
    watch_calls(&nx_process.calls);
}

/* A handler may have ended the program's part in the job, or gone on in a child (fork): what is bound then
 * stays. */
void nx_end_handler_watch(void)
{
    if (nx_process.short_ways.csend != watched_csend)
        return;
    nx_process.short_ways = watched.short_ways;
    nx_process.calls = watched.calls;
}
