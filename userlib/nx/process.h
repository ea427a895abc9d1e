/* SPDX-License-Identifier: MIT */
/* What libnx knows about its process: one object, filled in before main (start.c), read by every call. In
 * user location `library` is the table of the user-level message library, `self` its handle for this process
 * and `calls` what it has bound for it; in kernel location all are null and calls go through the proxies. */
#ifndef PARLEY_NX_PROCESS_H
#define PARLEY_NX_PROCESS_H

#include "kernel/interface/library.h"

struct nx_process {
    struct parley_calls calls;
    const struct parley_left *left;
    const struct parley_library *library;
    struct parley_process *self;
    unsigned long messages_proxy;
    unsigned long process_proxy;
    unsigned long results_proxy;
    unsigned long job_proxy;
    int node;
    int nodes;
    int pid;
    int pause;
    int hands_over;
    int needs_shared;
    int lends;
    const struct parley_start *start;
};

/* Leaves the user-level message system, if the process is in it. Harmless when called twice. */
void nx_leave(void);

#endif
