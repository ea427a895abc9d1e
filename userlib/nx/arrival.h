/* SPDX-License-Identifier: MIT */
/* What a reply says about a message that has arrived, in the layout of msginfo: type, length, node, pid. */
#ifndef PARLEY_NX_ARRIVAL_H
#define PARLEY_NX_ARRIVAL_H

#include "kernel/interface/found.h"
#include "userlib/nx/reply.h"

enum { nx_any = -1 };

static inline void nx_note_arrival(long info[8], const struct parley_reply *reply, long length)
{
    info[0] = reply->type;
    info[1] = length;
    info[2] = reply->node;
    info[3] = reply->pid;
}

/* The same of what a receive has found. */
static inline void nx_note_found(long info[8], struct parley_found found)
{
    info[0] = parley_found_type(found);
    info[1] = parley_found_length(found);
    info[2] = parley_found_node(found);
    info[3] = parley_found_pid(found);
}

#endif
