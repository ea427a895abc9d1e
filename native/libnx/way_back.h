/* SPDX-License-Identifier: MIT */
/* The way of a program's first thread out of a library, back into the program's own code, where message
 * handlers run. For programs with several threads: nothing here holds up or touches another thread. The first
 * goes in single steps, each of which is a fault, for a while; where that is not far enough, or it has
 * something to ask of Linux, it goes on by itself, and a tick looks after it again a little later. */
#ifndef PARLEY_NATIVE_WAY_BACK_H
#define PARLEY_NATIVE_WAY_BACK_H

#define PARLEY_HIDDEN __attribute__((visibility("hidden")))

/* Follows the caller, whom PARLEY_NATIVE_INTERRUPT has met in a library: in its handler, with its context.
 * The same signal comes again at the first instruction that `is_own`, or with a tick, unless handlers have
 * been attended to by then. Always with the same function. */
PARLEY_HIDDEN void nx_follow_back(void* context, int (*is_own)(const void* address));

#undef PARLEY_HIDDEN
#endif
