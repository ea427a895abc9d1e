/* SPDX-License-Identifier: MIT */
/* What nxrun and the ranks of its job share besides the arena: the job area, mapped by all at one address,
 * and the requests that a rank sends to nxrun over its socket. nxrun makes both before any rank begins; it
 * stands where the kernel stands when a machine is booted. */
#ifndef PARLEY_NATIVE_JOB_H
#define PARLEY_NATIVE_JOB_H

#include "interface/limits.h"
#include "interface/start_info.h"
#include "native/interface/job_semaphores.h"

/* Counts changes of this file and of the arena's layout: nxrun and libnx must agree. */
#define PARLEY_NATIVE_VERSION 8u

/* The environment of a rank: "version:job area's descriptor:arena's:library's:socket's:endpoint". */
#define PARLEY_NATIVE_VARIABLE "PARLEY_JOB"

/* Where the job area is mapped: between the user-level library and the arena (start_info.h) on one side, and
 * all that Linux maps by itself on the other. */
#define PARLEY_NATIVE_JOB_BASE 0x308000000000UL

/* The signal that interrupts a rank for its message handlers. */
#define PARLEY_NATIVE_INTERRUPT 10 /* SIGUSR1 */

/* The largest stack of a rank that shares its address space; any other has as much as Linux gives it. */
#define PARLEY_NATIVE_STACK_BYTES (64ul << 20)

struct parley_native_place {
    struct parley_start start;
    int process;   /* Linux's number of it, 0: none. Written by nxrun, read by ranks that interrupt others */
    int processor; /* that it has been given, -1: any. Written before it begins */
    /* departure.h. The rank sets `listens` before it looks at `must_end` for the first time, and joins
     * afterwards; nxrun sets `must_end` before it looks at `listens`. Both are sequentially consistent, so
     * one that nxrun does not find listening is not in the message system, and never will be. */
    int listens;
    int must_end;
    int successor_receives; /* what waits for one that must end is for the next program in its place */
} __attribute__((aligned(64)));

/* Frames that this machine has sent to others of its job, and received, and what it has begun and ended to
 * gather with all others: written by the helper that has the network, read by nxrun when it looks for
 * deadlocks. Frames for nxruns are not counted. */
struct parley_native_traffic {
    unsigned long sent, received;
    unsigned long begun, ended;
};

struct parley_native_job {
    unsigned version;
    unsigned endpoints;
    unsigned long bytes; /* of this area */
    unsigned long arena_bytes;
    struct parley_job_semaphores* semaphores; /* behind the places */
    int one_domain;                           /* all ranks share one address space */
    /* The least of all ranks' widest moves (widest_move.h), since a rank may run on a simulated processor.
     * Each rank lowers it before it copies anything. */
    unsigned widest_move;
    unsigned long processors[16]; /* that nxrun may use, as sched_getaffinity tells them */
    struct parley_native_traffic traffic __attribute__((aligned(64)));
    struct parley_native_place places[];
};

/* What a rank asks of nxrun: a call of interface/calls.def, in one packet with what its first word
 * would have pointed to. Rows are not answered; all else is, by one answer with the request's number. */
enum { parley_native_payload = 2048 };

struct parley_native_request {
    unsigned method; /* enum parley_method; 0: the request of this number is not wanted any more */
    unsigned number;
    long words[5];
    unsigned long bytes; /* of the payload that follows */
    unsigned char payload[parley_native_payload];
};

/* In place of a method: the rank ends with nxrun from here on, even where it is stopped. Not answered. */
#define PARLEY_NATIVE_BEGUN 0x10001u

/* In place of a method: a struct parley_native_fault, which is not answered. */
#define PARLEY_NATIVE_FAULT 0x10000u

/* What ends the rank that tells it: an exception of the processor's. */
struct parley_native_fault {
    int signal;
    int in_library;              /* the instruction is the message library's */
    unsigned long vector, error; /* of x86-64 */
    unsigned long address;       /* of a page fault: what was not there */
    unsigned long instruction;
    unsigned long stack_bytes; /* it has used up its stack of so many; 0: it has not */
    unsigned long offset;      /* of the instruction in its file */
    char file[1024];           /* where there is one, with a zero at its end */
};

struct parley_native_answer {
    unsigned number;
    unsigned sender_is_set;
    long value; /* or minus an error */
    unsigned long sender;
};

#endif
