/* SPDX-License-Identifier: MIT */
/* Start-up: reads what the kernel wrote about this process's place in the job, before any constructor of the
 * program runs, and in user location joins the message system in the shared region. */
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <sys/auxv.h>

struct nx_process nx_process;

static void take_place(const struct parley_start *start)
{
    nx_process.start = start;
    nx_process.node = start->node;
    nx_process.nodes = start->nodes;
    nx_process.pid = start->pid;
    nx_process.pause = start->pause;
    nx_take_capabilities(start->capabilities);
    nx_process.messages_proxy = start->messages_proxy;
    nx_process.job_proxy = start->job_proxy;
    nx_process.results_proxy = start->results_proxy;
    nx_process.process_proxy = start->process_proxy;
    nx_process.gangs_proxy = start->gangs_proxy;
}

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
    take_place(start);
    nx_bind_proxies();
    if (start->location == PARLEY_IN_USER)
        nx_join(start);
}

__attribute__((destructor(101))) static void leave(void)
{
    nx_leave();
}
