/* SPDX-License-Identifier: MIT */
/* How programs with threads end, one way a run: endings.c. */
#ifndef PARLEY_THREADS_ENDINGS_H
#define PARLEY_THREADS_ENDINGS_H

int end_by(const char *how);

#endif
