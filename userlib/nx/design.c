/* SPDX-License-Identifier: MIT */
/* What a program may know about the design that carries its messages. */
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <string.h>

static enum nx_passing passing_under(unsigned capabilities)
{
    if (capabilities & NX_BLOCKS_CHANGE_OWNER)
        return nx_passes_blocks;
    if (capabilities & NX_BUFFERS_MUST_BE_SHARED)
        return nx_passes_shared_buffers;
    return capabilities & NX_BUFFERS_ARE_LENT ? nx_passes_loans : nx_passes_copies;
}

void nx_take_capabilities(unsigned capabilities)
{
    nx_process.capabilities = capabilities;
    nx_process.passing = passing_under(capabilities);
}

const char *nx_design(void)
{
    return nx_process.start->design;
}

long nx_capabilities(void)
{
    return (long)nx_process.capabilities;
}

long nx_hands_over(void)
{
    return (nx_capabilities() & NX_BLOCKS_CHANGE_OWNER) != 0;
}

long nx_needs_shared(void)
{
    return (nx_capabilities() & NX_BUFFERS_MUST_BE_SHARED) != 0;
}

long nx_polling(const char *polling)
{
    static const char call[] = "nx_polling";
    const long looks = NX_CALL(set_polling, (unsigned long)polling, polling ? (long)strlen(polling) : 0);
    if (looks == -nx_error_bad_argument)
        nx_end_call(call, "there is no such polling (make designs)", "\"%s\"", polling);
    if (looks == -nx_error_no_such_call && polling)
        nx_end_call(call,
                    "this process looks into no network interface whose looks take time (MULTIPROCESSORS=2 "
                    "INTERFACE=look=2us)",
                    "\"%s\"", polling);
    return looks < 0 ? 0 : looks;
}
