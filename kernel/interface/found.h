/* SPDX-License-Identifier: MIT */
/* What a call answers that finds a message, in two words: type | length << 32, which is not negative, and the
 * sender's word (senders.h). An error is minus its number, in place of the first. A request that has ended
 * without a message, as a send's, has the type -1. */
#ifndef PARLEY_KERNEL_INTERFACE_FOUND_H
#define PARLEY_KERNEL_INTERFACE_FOUND_H

#include "kernel/interface/senders.h"

struct parley_found {
    long contents;
    unsigned long sender;
};

#define PARLEY_FOUND_NO_MESSAGE 0xffffffffl /* as contents: type -1 */

/* Of what is no error. */
static inline long parley_found_type(struct parley_found found) { return (int)found.contents; }

static inline long parley_found_length(struct parley_found found) { return found.contents >> 32; }

static inline long parley_found_node(struct parley_found found)
{
    return (long)(found.sender & PARLEY_SENDER_NODE);
}

static inline long parley_found_pid(struct parley_found found)
{
    return (long)found.sender >> PARLEY_PID_SHIFT;
}

#endif
