/* SPDX-License-Identifier: MIT */
/* A handler of the program's has to return: the call of NX/2 that it has interrupted is half done until
 * then, and no other can run. One that jumps out (longjmp, a C++ exception) is found out at the next message
 * call whose frame lies above the one that the handler was called from: while a handler runs, the process's
 * calls go through here, and at other times they cost nothing. */
#ifndef PARLEY_NX_HANDLER_WATCH_H
#define PARLEY_NX_HANDLER_WATCH_H

/* This lies on the stack of whoever calls the handler, below what is interrupted. */
struct nx_handler_frame {
    volatile unsigned long mark;
};

/* Around the call of a handler that `call` has posted. */
void nx_begin_handler_watch(struct nx_handler_frame *frame, const char *call);
/* Harmless when none is watched. */
void nx_end_handler_watch(void);

#endif
