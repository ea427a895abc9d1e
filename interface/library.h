/* SPDX-License-Identifier: MIT */
/* The user-level message library (lib/messages in the archive): linked at PARLEY_LIBRARY_BASE, mapped in
 * every domain of a job in user location, without writable data of its own. Its entry address is that of this
 * table, and start-up passes it on as parley_start.library_table. */
#ifndef PARLEY_KERNEL_INTERFACE_LIBRARY_H
#define PARLEY_KERNEL_INTERFACE_LIBRARY_H

#include "interface/message_calls.h"
#include "interface/start_info.h"

#define PARLEY_LIBRARY_VERSION 14

/* The shared region begins with this many bytes for the library's own data about the job; the message
 * system's memory, with the wait records at its start, follows them. Most of these addresses have no
 * memory: a page gets memory when it is first touched. */
#define PARLEY_REGION_HEADER_BYTES 0x100000UL

/* Those bytes begin with this, which the kernel writes. */
struct parley_region_head {
    /* How many processes of the job must end and are in the library. While there are any, a process that
     * waits in the library makes calls of the kernel (process_null, if it has no other to make), which
     * answers the error `killed` (calls.def) to those that must end. */
    unsigned int departing;
};

#ifdef __cplusplus
extern "C" {
#endif

/* One process's data in the message system. It lies in the shared region. */
struct parley_process;

/* Programs of a job in user location call these functions, each for its own process. Those that answer a long
 * answer 0 or minus an error (errors.h). */
struct parley_library {
    unsigned long version;
    /* Enters the message system; the first process of a job that calls it makes the system in the shared
     * region. Pairs with close. Null: that is impossible (too little memory, or a design that the library
     * does not know). */
    struct parley_process* (*attach)(const struct parley_start* start);
    /* The message calls of that process, until it closes. */
    struct parley_calls (*calls)(struct parley_process* self);
    /* A program is about to start with that endpoint, which gets this pid and is made as it was at first.
     * Errors: bad_process, pid_in_use. */
    long (*reopen)(struct parley_process* self, long endpoint, long pid);
    /* The programs of these endpoints have been killed (-1: all nodes, all pids), but not the caller's.
     * Messages that wait there stay for the next programs (keep = 1), or are forgotten. */
    long (*reset)(struct parley_process* self, long nodes, long node, long pid, long keep);
    /* The process of this endpoint has this pid from now on. Errors: bad_process, pid_in_use. */
    long (*set_pid)(struct parley_process* self, long endpoint, long pid);
    /* The process ends: it waits until the buffers that it has lent have been copied, then gives back all
     * that it holds. */
    void (*close)(struct parley_process* self);
    /* Nobody calls this: it is the first instruction of a delivery process (transport: process). It begins
     * with the stack pointer at a word that holds the address of its parley_start, and ends by exit_group. */
    void (*deliver)(void);
    /* Nobody calls this either: a process that must end goes on here from wherever its program was, with
     * the program's stack. It closes the endpoint, or with keep = 1 leaves the messages that wait there to
     * the next program, and ends by exit_group. */
    void (*leave)(unsigned long endpoint, unsigned long keep);
    /* What the library's port has besides, of a type that the port defines, or null. */
    const void* port;
};

#ifdef __cplusplus
}
#endif

#endif
