/* SPDX-License-Identifier: MIT */
/* Reports faults of a rank to nxrun before they end it. A handler of the program's own stands before
 * ours: whoever sets one takes our place. */
#ifndef PARLEY_NATIVE_FAULTS_H
#define PARLEY_NATIVE_FAULTS_H

#define PARLEY_HIDDEN __attribute__((visibility("hidden")))

/* From now on nxrun is told of what ends this process by a fault. Signals that somebody handles or ignores
 * already are left alone. Once, when nx_socket is known. */
PARLEY_HIDDEN void nx_tell_faults(void);

/* Our handler of SIGSEGV, or of SIGTRAP, stands before the program's until nx_leave_faults(), and asks
 * `is_expected` of each fault first: 1, the fault was the caller's own doing, and the program can go on now.
 * It is called in the handler, with its context and all signals held back. Always with the same function for
 * one signal. False: Linux refuses. */
PARLEY_HIDDEN int nx_take_faults(int number, int (*is_expected)(void* context));
PARLEY_HIDDEN void nx_leave_faults(int number);

#undef PARLEY_HIDDEN
#endif
