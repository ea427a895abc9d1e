/* SPDX-License-Identifier: MIT */
/* Faults of a rank, as nxrun hears of them before they end it. A handler of the program's own stands before
 * ours: whoever sets one takes our place. */
#ifndef PARLEY_NATIVE_FAULTS_H
#define PARLEY_NATIVE_FAULTS_H

#define PARLEY_HIDDEN __attribute__((visibility("hidden")))

/* From now on nxrun is told of what ends this process by a fault. Signals that somebody handles or ignores
 * already are left alone. Once, when nx_socket is known. */
PARLEY_HIDDEN void nx_tell_faults(void);

/* Before code is hidden: our handler of SIGSEGV stands before the program's until nx_leave_faults(). False:
 * Linux refuses. */
PARLEY_HIDDEN int nx_take_faults(void);
PARLEY_HIDDEN void nx_leave_faults(void);

/* Whether the fault with this context was a return into hidden code, which is not hidden any more. It may be
 * asked in the handler alone (handler_code.c). */
PARLEY_HIDDEN int nx_settle_hidden_code(void* context);

#undef PARLEY_HIDDEN
#endif
