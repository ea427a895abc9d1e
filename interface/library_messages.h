/* SPDX-License-Identifier: MIT */
/* The messages that the NX library sends for itself: their context, and their types, which are the numbers of
 * the calls that they are sent for. So nodes that make different calls at once never take each other's bytes,
 * and a report of such a message, or of a wait for one, can name the call. */
#ifndef PARLEY_KERNEL_INTERFACE_LIBRARY_MESSAGES_H
#define PARLEY_KERNEL_INTERFACE_LIBRARY_MESSAGES_H

#define PARLEY_CONTEXT_PROGRAM 0 /* contexts: senders.h */
#define PARLEY_CONTEXT_LIBRARY 1
#define PARLEY_CONTEXT_ACTIVE 2 /* Active Messages: userlib/am/ */

enum parley_library_call {
#define PARLEY_LIBRARY_CALL(name) parley_library_call_##name,
#include "interface/library_calls.def"
    parley_library_call_count
};

#endif
