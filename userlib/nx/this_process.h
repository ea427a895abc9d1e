/* SPDX-License-Identifier: MIT */
/* The one nx_process of a program. Host tests put a header of the same name before this one, in which every
 * thread has its own. */
#ifndef PARLEY_NX_THIS_PROCESS_H
#define PARLEY_NX_THIS_PROCESS_H

#include "userlib/nx/process.h"

extern struct nx_process nx_process __attribute__((visibility("hidden")));

#endif
