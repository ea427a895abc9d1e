/* SPDX-License-Identifier: MIT */
/* The answer of a call that finds a message, in two words: type | length << 32, which is not negative, and
 * the sender's word (senders.h). An error is minus its number, in place of the first word. A request that
 * has ended without a message, like that of a send, has the type -1. */
#ifndef PARLEY_KERNEL_INTERFACE_RECEIVE_STATUS_H
#define PARLEY_KERNEL_INTERFACE_RECEIVE_STATUS_H

#include "interface/senders.h"

struct parley_receive_status {
    long contents;
    unsigned long sender;
};

#define PARLEY_FOUND_NO_MESSAGE 0xffffffffl /* as contents: type -1 */

/* The parts of an answer that is no error. */
static inline long parley_receive_status_type(struct parley_receive_status found)
{
    return (int)found.contents;
}

static inline long parley_receive_status_length(struct parley_receive_status found)
{
    return found.contents >> 32;
}

static inline long parley_receive_status_node(struct parley_receive_status found)
{
    return (long)(found.sender & PARLEY_SENDER_NODE);
}

static inline long parley_receive_status_pid(struct parley_receive_status found)
{
    return (long)found.sender >> PARLEY_PID_SHIFT;
}

#endif
