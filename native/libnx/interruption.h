/* SPDX-License-Identifier: MIT */
/* Sleeping in Linux with interruptions for message handlers: a signal that comes before the sleep begins must
 * end it as well. */
#ifndef PARLEY_NATIVE_INTERRUPTION_H
#define PARLEY_NATIVE_INTERRUPTION_H

struct timespec;

/* Sleeps until the descriptor can be read (-1: none), the time has passed (null: never), or the process has
 * been interrupted. 1: it can be read; 0: the time has passed; -1: interrupted, and the caller has handlers
 * attended to before it sleeps again. */
__attribute__((visibility("hidden"))) int nx_sleep(int descriptor, const struct timespec* time);

#endif
