/* SPDX-License-Identifier: MIT */
/* What a reply says about a message that has arrived, in the layout of msginfo: type, length, node, pid. */
#ifndef PARLEY_NX_ARRIVAL_H
#define PARLEY_NX_ARRIVAL_H

#include "userlib/nx/reply.h"

enum { nx_any = -1 };

static inline void nx_note_arrival(long info[8], const struct parley_reply *reply, long length)
{
    info[0] = reply->type;
    info[1] = length;
    info[2] = reply->node;
    info[3] = reply->pid;
}

#endif
