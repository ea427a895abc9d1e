/* SPDX-License-Identifier: MIT */
/* User location: entering and leaving the message system that lives in the shared region. */
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"
#include "userlib/nx/ignored.h"
#include "userlib/nx/short_ways.h"
#include "userlib/nx/this_process.h"

void nx_join(const struct parley_start *start)
{
    const struct parley_library *library = (const struct parley_library *)start->library_table;
    if (!library || library->version != PARLEY_LIBRARY_VERSION)
        nx_end("parley: this program's libnx and the message library are of different versions: build both "
               "again\n");
    nx_process.self = library->attach(start);
    if (!nx_process.self)
        nx_end("parley: the message system does not fit into the shared region, or its design is unknown\n");
    nx_process.library = library;
    nx_process.short_ways =
        (struct nx_short_ways){nx_csend_by_library, nx_crecv_by_library, nx_crecvp_by_library};
    nx_process.calls = library->calls(nx_process.self);
}

void nx_leave(void)
{
    nx_end_handlers();
    nx_forget_ignored(); /* nobody waits for these, and nobody should be told so */
    const struct parley_library *library = nx_process.library;
    nx_bind_proxies();
    library->close(nx_process.self);
}
