/* SPDX-License-Identifier: MIT */
/* What a program may know about the design that carries its messages. */
#include "userlib/nx/this_process.h"

#include <nx.h>

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
