/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/this_process.h for host tests: a node is a thread. */
#ifndef PARLEY_NX_THIS_PROCESS_H
#define PARLEY_NX_THIS_PROCESS_H

#include "userlib/nx/process.h"

extern __thread struct nx_process nx_process;

#endif
