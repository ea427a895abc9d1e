/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/am/looks.h on Linux, where looks that follow each other closely hold up the very store
 * that they wait for, as a receive's do (native/library/platform.hpp). */
#ifndef PARLEY_AM_LOOKS_H
#define PARLEY_AM_LOOKS_H

static inline void nx_am_between_looks(void) { __asm__ volatile("pause"); }

#endif
