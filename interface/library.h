/* SPDX-License-Identifier: MIT */
/* The user-level message library (lib/messages in the archive): linked at PARLEY_LIBRARY_BASE, mapped in
 * every domain of a job in user location, without writable data of its own. Its entry address is that of this
 * table, and start-up passes it on as parley_start.library_table. */
#ifndef PARLEY_KERNEL_INTERFACE_LIBRARY_H
#define PARLEY_KERNEL_INTERFACE_LIBRARY_H

#include "interface/message_calls.h"
#include "interface/start_info.h"

#define PARLEY_LIBRARY_VERSION 10

/* The shared region begins with the library's own words about the job; the message system's memory, with the
 * wait records at its start, comes behind them. These are addresses rather than memory: pages appear at first
 * touch. */
#define PARLEY_REGION_HEADER_BYTES 0x100000UL

/* What they begin with, for the kernel to write. */
struct parley_region_head {
    /* How many processes of the job must end and are in the library. While there are any, who waits in there
     * asks the kernel, by any call (process.null, else), which answers those that must end with the error
     * `killed` (calls.def). */
    unsigned int departing;
};

#ifdef __cplusplus
extern "C" {
#endif

/* One process's place in the message system; lies in the shared region. */
struct parley_process;

/* Programs of a job in user location call it, each for its own place. What answers a long answers 0 or minus
 * an error (errors.h). */
struct parley_library {
    unsigned long version;
    /* Enters the message system; the first process of a job to come sets it up in the shared region. Pairs
     * with close. Null: impossible (too little memory, or a design that the library does not know). */
    struct parley_process* (*attach)(const struct parley_start* start);
    /* The message calls of that process, until it closes. */
    struct parley_calls (*calls)(struct parley_process* self);
    /* For a program that is about to start in the place of that endpoint: its pid, and a place as new.
     * Errors: bad_process, pid_in_use. */
    long (*reopen)(struct parley_process* self, long endpoint, long pid);
    /* The programs of these places have been killed (-1: all nodes, all pids), never the caller's: what waits
     * there is for the next ones (keep = 1), or is forgotten. */
    long (*reset)(struct parley_process* self, long nodes, long node, long pid, long keep);
    /* What the process of an endpoint is known as from now on. Errors: bad_process, pid_in_use. */
    long (*set_pid)(struct parley_process* self, long endpoint, long pid);
    /* Leaves for good: waits until buffers it has lent have been copied, then gives back what it holds. */
    void (*close)(struct parley_process* self);
    /* Not a function but the first instruction of a delivery process (transport: process). It is entered with
     * the stack pointer at a word that holds the address of its parley_start, and ends by exit_group. */
    void (*deliver)(void);
    /* Nor is this called: where the process of an endpoint that must end goes on, somewhere in its program's
     * code, with the program's stack. It closes the endpoint, or with keep = 1 leaves what waits there to the
     * next program, and ends by exit_group. */
    void (*leave)(unsigned long endpoint, unsigned long keep);
    /* What else the library's port has, of a type that it says itself, or null. */
    const void* port;
};

#ifdef __cplusplus
}
#endif

#endif
