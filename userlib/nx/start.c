/* SPDX-License-Identifier: MIT */
/* Start-up: reads what the kernel wrote about this process's place in the job, before any constructor of the
 * program runs, and in user location joins the message system in the shared region. */
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"
#include "userlib/nx/thread_watch.h"

#include <sys/auxv.h>

struct nx_process nx_process;

/* Priority 101 is the first that programs may use, so NX calls work in their own constructors. */
__attribute__((constructor(101))) static void enter(void)
{
    nx_bind_proxies(); /* so that it can also end before it knows more */
    const struct parley_start *start = (const struct parley_start *)getauxval(PARLEY_AT_START);
    if (!start)
        nx_end("parley: this program needs the Parley kernel: boot it with `make run APP=path/to/program`\n");
    if (start->version != PARLEY_START_VERSION)
        nx_end("parley: this program was linked with a libnx of another version than the kernel's: link it "
               "again\n");
    nx_take_place(start);
    nx_bind_proxies();
    if (start->location == PARLEY_IN_USER)
        nx_join(start);
}

__attribute__((destructor(101))) static void leave(void)
{
    if (nx_is_first_thread()) /* where another ends the program, the kernel does what is left to do */
        nx_leave();
}
