/* SPDX-License-Identifier: MIT */
/* What is told about a message that has arrived, in the layout of msginfo: type, length, node, pid. */
#ifndef PARLEY_NX_ARRIVAL_H
#define PARLEY_NX_ARRIVAL_H

#include "interface/receive_status.h"

enum { nx_any = -1 };

static inline void nx_note_found(long info[8], struct parley_receive_status found)
{
    info[0] = parley_receive_status_type(found);
    info[1] = parley_receive_status_length(found);
    info[2] = parley_receive_status_node(found);
    info[3] = parley_receive_status_pid(found);
}

#endif
