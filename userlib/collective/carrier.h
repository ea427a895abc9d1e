/* SPDX-License-Identifier: MIT */
/* The library's own messages: in a context that no program's selector matches, and in the way the design
 * wants them. Where buffers must be blocks of the shared region the bytes go through one. Where a buffer is
 * lent the send lasts until the receiver has it, which the trees of tree.c never turn into a circle of waits.
 * Failures end the program in the name of `call`. */
#ifndef PARLEY_NX_CARRIER_H
#define PARLEY_NX_CARRIER_H

#include "interface/library_messages.h"

/* What a node is told that brings or expects other bytes than the rest. */
#define NX_AS_MANY ", and all must bring as many"

const char *nx_library_call_name(enum parley_library_call call);

void nx_carry(enum parley_library_call call, long node, const void *data, long bytes);

/* Receives what that node carried, at most `maximum` bytes; returns how many came. */
long nx_fetch(enum parley_library_call call, long node, void *data, long maximum);

/* Returns when all nodes have made this call, and `all` has what each has brought, one after the other in the
 * order of nodes: at most `room` bytes. `bytes`: at most PARLEY_MEETING_BYTES. Returns how many there are, or
 * -1, which is more than `room`. */
long nx_meet_with(enum parley_library_call call, const void *part, long bytes, void *all, long room);

/* Waits until something from that node is there; returns its length. */
long nx_fetch_length(enum parley_library_call call, long node);

#endif
