/* SPDX-License-Identifier: MIT */
/* The user-level message library (lib/messages in the archive): linked at PARLEY_LIBRARY_BASE, mapped in
 * every domain of a job in user location, without writable data of its own. Its entry address is that of this
 * table, and start-up passes it on as parley_start.library_table. The operations are those of the `messages`
 * proxies (proxies.h), with the same arguments and results: value is the result, or minus an error. */
#ifndef PARLEY_KERNEL_INTERFACE_LIBRARY_H
#define PARLEY_KERNEL_INTERFACE_LIBRARY_H

#include "kernel/interface/found.h"
#include "kernel/interface/start_info.h"

#define PARLEY_LIBRARY_VERSION 6

#ifdef __cplusplus
extern "C" {
#endif

/* What an operation answers; its definition is { long value, type, block, node, pid; }. */
struct parley_reply;

/* One process's place in the message system; lies in the shared region. */
struct parley_process;

/* The words of a send, receive or receive_block, as in the registers of a proxy call (proxies.h). */
struct parley_call {
    long first;
    long second;
    long third;
    long fourth;
    long fifth;
};

/* What a process's calls leave behind: the arguments of the last send that has answered with something else
 * than 0, and where the bytes are of what receive_block has found last. */
struct parley_left {
    struct parley_call unsent;
    void* block;
};

/* The calls whose price counts, bound once: each is one jump to where it is done. */
struct parley_calls {
    void* self; /* their first argument */
    long (*send)(void* self, long type, const void* buffer, long length, long node, unsigned long address);
    struct parley_found (*receive)(void* self, const struct parley_call* call);
    struct parley_found (*receive_block)(void* self, const struct parley_call* call);
};

struct parley_library {
    unsigned long version;
    /* Enters the message system; the first process of a job to come sets it up in the shared region.
     * Null: impossible (too little memory, or a design that the library does not know). */
    struct parley_process* (*attach)(const struct parley_start* start);
    /* Both are the same as long as the process is in the message system. */
    struct parley_calls (*calls)(struct parley_process* self);
    const struct parley_left* (*left)(struct parley_process* self);
    struct parley_reply (*start_send)(struct parley_process* self, long type, const void* buffer, long length,
                                      long node, unsigned long address);
    struct parley_reply (*start_receive)(struct parley_process* self, long typesel, void* buffer,
                                         long maximum, unsigned long from, unsigned long mask);
    struct parley_reply (*done)(struct parley_process* self, long id);
    struct parley_reply (*wait)(struct parley_process* self, long id);
    struct parley_reply (*cancel)(struct parley_process* self, long id);
    struct parley_reply (*probe)(struct parley_process* self, long typesel, long may_wait, unsigned long from,
                                 unsigned long mask);
    struct parley_reply (*watch)(struct parley_process* self, long id);
    /* For a program that is about to start in the place of that endpoint: its pid, and a place as new. */
    struct parley_reply (*reopen)(struct parley_process* self, long endpoint, long pid);
    /* The programs of these places have been killed (-1: all nodes, all pids): what waits there is for the
     * next ones (keep = 1), or is forgotten. */
    struct parley_reply (*vacate)(struct parley_process* self, long nodes, long node, long pid, long keep);
    /* What the process of an endpoint is known as from now on. */
    struct parley_reply (*set_pid)(struct parley_process* self, long endpoint, long pid);
    struct parley_reply (*allocate)(struct parley_process* self, long bytes, long alignment);
    struct parley_reply (*release)(struct parley_process* self, void* block);
    /* Leaves for good: waits until buffers it has lent have been copied, then gives back what it holds. */
    void (*close)(struct parley_process* self);
    /* Not a function but the first instruction of a delivery process (transport: process). It is entered with
     * the stack pointer at a word that holds the address of its parley_start, and ends by exit_group. */
    void (*deliver)(void);
};

#ifdef __cplusplus
}
#endif

#endif
