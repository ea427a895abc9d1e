/* SPDX-License-Identifier: MIT */
#include "userlib/nx/handler_watch.h"

#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <stddef.h>
#include <stdio.h>

static const unsigned long standing = 0x48414e444c455221; /* of a frame that nobody has written over */

static struct {
    struct nx_handler_frame *frame;
    const char *call;
} watched;

static _Noreturn void refuse(void)
{
    char line[400];
    const char *call = watched.call;
    nx_end_handler_watch();
    snprintf(line, sizeof line,
             "parley: %s: a handler of %s has not returned: it has jumped out (longjmp), and the "
             "call that it interrupted stays half done. Let it set a variable and return\n",
             nx_own_name().text, call);
    nx_end(line);
}

/* Whoever calls from inside the handler stands below the frame, and has left it as it was. */
static inline __attribute__((always_inline)) void check_caller(void)
{
    const void *here = __builtin_frame_address(0);
    if ((const char *)here > (const char *)watched.frame || watched.frame->mark != standing)
        refuse();
}

#include "userlib/nx/watched_calls.h"

void nx_begin_handler_watch(struct nx_handler_frame *frame, const char *call)
{
    frame->mark = standing;
    watched.frame = frame;
    watched.call = call;
    watch_calls();
}

/* A handler may have ended the program's part in the job, or gone on in a child (fork): what is bound then
 * stays. */
void nx_end_handler_watch(void)
{
    if (nx_process.short_ways.csend != watched_csend)
        return;
    nx_process.short_ways = unwatched.short_ways;
    nx_process.calls = unwatched.calls;
}
