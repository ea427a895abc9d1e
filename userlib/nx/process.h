/* SPDX-License-Identifier: MIT */
/* What libnx knows about its process: one object, filled in before main (start.c), read by every call. In
 * user location `library` is the table of the user-level message library, `self` its handle for this process
 * and `calls` what it has bound for it; in kernel location all are null and calls go through the proxies. */
#ifndef PARLEY_NX_PROCESS_H
#define PARLEY_NX_PROCESS_H

#include "kernel/interface/capabilities.h"
#include "kernel/interface/library.h"

/* How the bytes of a message pass from one program to another, as far as their buffers are concerned. */
enum nx_passing {
    nx_passes_copies,         /* any buffer, free again at once */
    nx_passes_loans,          /* any buffer, in use until the message has been received */
    nx_passes_shared_buffers, /* blocks of nx_alloc only, perhaps lent */
    nx_passes_blocks          /* the block itself goes to the receiver */
};

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
    unsigned capabilities; /* of its job's message system: bits of enum parley_capability */
    enum nx_passing passing;
    const struct parley_start *start;
};

/* Fills in the two above. */
void nx_take_capabilities(unsigned capabilities);

/* Leaves the user-level message system, if the process is in it. Harmless when called twice. */
void nx_leave(void);

#endif
