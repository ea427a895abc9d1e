/* SPDX-License-Identifier: MIT */
/* What is told about a message that has arrived, in the layout of msginfo: type, length, node, pid. */
#ifndef PARLEY_NX_ARRIVAL_H
#define PARLEY_NX_ARRIVAL_H

#include "kernel/interface/found.h"

enum { nx_any = -1 };

static inline void nx_note_found(long info[8], struct parley_found found)
{
    info[0] = parley_found_type(found);
    info[1] = parley_found_length(found);
    info[2] = parley_found_node(found);
    info[3] = parley_found_pid(found);
}

#endif
