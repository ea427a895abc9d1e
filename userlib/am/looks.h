/* SPDX-License-Identifier: MIT */
/* What comes between two looks of a program that polls again and again. Here that is nothing: the emulator's
 * processors disturb nobody by looks, and a machine model knows what each costs. */
#ifndef PARLEY_AM_LOOKS_H
#define PARLEY_AM_LOOKS_H

static inline void nx_am_between_looks(void) { }

#endif
