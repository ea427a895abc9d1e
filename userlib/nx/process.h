/* SPDX-License-Identifier: MIT */
/* What libnx knows about its process: one object, filled in before main (start.c), read by every call. */
#ifndef PARLEY_NX_PROCESS_H
#define PARLEY_NX_PROCESS_H

#include "interface/capabilities.h"
#include "interface/library.h"

/* How the bytes of a message pass from one program to another, as far as their buffers are concerned. */
enum nx_passing {
    nx_passes_copies,         /* any buffer, free again at once */
    nx_passes_loans,          /* any buffer, in use until the message has been received */
    nx_passes_shared_buffers, /* blocks of nx_alloc only, perhaps lent */
    nx_passes_blocks          /* the block itself goes to the receiver */
};

/* The calls whose price counts, each as a whole: what is in between would be felt. */
struct nx_short_ways {
    void (*csend)(long type, const void *buffer, long length, long node, long pid);
    void (*crecv)(long typesel, void *buffer, long maximum);
    void (*crecvp)(long typesel, void **buffer, long maximum);
};

/* Where the message system lives is asked once, when the process joins it: `short_ways`, `calls` and
 * `library` are bound then, by nx_bind_proxies() or by nx_join(). */
struct nx_process {
    struct nx_short_ways short_ways;
    struct parley_calls calls;
    const struct parley_library *library; /* in kernel location one whose calls have nothing to do */
    struct parley_process *self;          /* its argument */
    struct parley_left left;              /* of calls by proxy */
    unsigned long messages_proxy;
    unsigned long process_proxy;
    unsigned long results_proxy;
    unsigned long job_proxy;
    unsigned long gangs_proxy;
    unsigned long semaphores_proxy;
    int node;
    int nodes;
    int pid;
    int pause;
    int has_few_processors; /* the job is on this machine, which has fewer of them than it has nodes */
    int machines_meet;      /* the job is on several machines, whose nodes meet */
    unsigned capabilities;  /* of its job's message system: bits of enum nx_capability */
    enum nx_passing passing;
    int has_combined;  /* with the other of two nodes, so that has begun */
    const char *meets; /* the collective call in which it waits for all nodes; null: none */
    const struct parley_start *start;
};

/* Fills in `capabilities` and `passing`. */
void nx_take_capabilities(unsigned capabilities);

/* Notes what start-up has found about this process's place in its job. */
void nx_take_place(const struct parley_start *start);

/* Message calls are proxy calls from now on. Needs messages_proxy. */
void nx_bind_proxies(void);

/* Joins the user-level message system; ends the program when that is impossible. */
void nx_join(const struct parley_start *start);

/* Leaves the user-level message system, if the process is in it. Harmless when called twice. */
void nx_leave(void);

#endif
