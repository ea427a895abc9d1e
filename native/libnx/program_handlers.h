/* SPDX-License-Identifier: MIT */
/* Handlers of signals that the program sets. One that interrupts the message library must return to it: what
 * the library has locked, or has half written, is held until then, and others of the job wait for it. So
 * libnx takes the place of sigaction, signal and sigset and stands before each handler. While one runs above
 * the library, libnx is closed: whoever calls it then, in the handler or after a jump out of it (longjmp),
 * ends with a sentence, and its job with it. */
#ifndef PARLEY_NATIVE_PROGRAM_HANDLERS_H
#define PARLEY_NATIVE_PROGRAM_HANDLERS_H

#include <signal.h>

/* sigaction for libnx's own handlers, before which nobody stands. */
__attribute__((visibility("hidden"))) int nx_set_own_handler(int number, const struct sigaction* action,
                                                             struct sigaction* before);

/* Before a call of the message library that goes through nothing that is closed: ends the process as told
 * above, if it is made above the library. */
__attribute__((visibility("hidden"))) void nx_refuse_above_library(void);

#endif
