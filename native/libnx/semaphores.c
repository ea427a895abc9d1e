/* SPDX-License-Identifier: MIT */
/* The message library keeps the semaphores (native/interface/job_semaphores.h): as for messages, only the
 * program's first thread may call it, and no handler that has interrupted it. */
#include "native/libnx/semaphores.h"

#include "interface/capabilities.h"
#include "native/interface/library_port.h"
#include "native/libnx/program_handlers.h"
#include "native/libnx/rank.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"
#include "userlib/nx/thread_watch.h"

#include <stddef.h>

static const struct parley_native_semaphores *library(void)
{
    nx_refuse_other_threads();
    nx_refuse_above_library();
    return parley_native_port_of((const struct parley_library *)nx_process.start->library_table)->semaphores;
}

static struct parley_job_semaphores *jobs(void)
{
    return nx_native_job()->semaphores;
}

long nx_native_open(long number, long count)
{
    if ((nx_process.start->capabilities & NX_SEVERAL_MACHINES) != 0)
        return -nx_error_one_machine_only;
    return library()->open(jobs(), number, count);
}

long nx_native_bind(long id, unsigned **word)
{
    return library()->bind(jobs(), id, word);
}

long nx_native_p(long id)
{
    return library()->p(jobs(), (unsigned)nx_process.start->endpoint, id);
}

long nx_native_v(long id)
{
    return library()->v(jobs(), id);
}

long nx_native_v_all(const long *ids, long count)
{
    return library()->v_all(jobs(), ids, count);
}

long nx_native_read_counts(struct parley_semaphore_counts *counts)
{
    library()->read_counts(jobs(), counts);
    return 0;
}
