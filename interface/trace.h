/* SPDX-License-Identifier: MIT */
/* The records of a traced kernel and a traced user-level library: one of fixed size for each event. They
 * are sent at the end as frames of kind PARLEY_FRAME_TRACE (results.h): a parley_trace_head, then whole
 * records, little endian. Job, sending process and `message` name a message; they are the same in its
 * send, match and receive. */
#ifndef PARLEY_KERNEL_INTERFACE_TRACE_H
#define PARLEY_KERNEL_INTERFACE_TRACE_H

#define PARLEY_TRACE_VERSION 1
#define PARLEY_TRACE_NOBODY 0xffff         /* no process at the other end */
#define PARLEY_TRACE_NOWHERE 0xff          /* the processor is not known */
#define PARLEY_TRACE_LIBRARY_BYTES 0x40000 /* a process's own part, under a kernel */

/* In the environment of a watched rank on Linux, for programs that do not use libnx: where its own buffer
 * lies, "file:offset:bytes:endpoint". Under the kernel parley_start says it (start_info.h). */
#define PARLEY_TRACE_VARIABLE "PARLEY_TRACE_BUFFER"

/* PARLEY_TRACE_EVENTS(X) expands X(name, number).
 *   send      a message is put on its way: to peer, type, length, message
 *   match     a message found its receive: from peer, type, length, message
 *   receive   its bytes are there: from peer, type, length, message
 *   wait      the process begins to wait, spinning or blocked: peer = node, type = type or selector, length,
 *             message = number of the reason (messaging/wait_record.hpp)
 *   resume    the process goes on after a wait
 *   block     it gives its processor away until it is woken
 *   wake      peer made it ready again
 *   switch    it gets the processor; peer had it before
 *   ended     the process no longer exists
 *   scheduled, begun, collected, freed    a gang is queued, its first processor comes, its last one, its last
 *             member has ended; length = members
 *   event     the program says that it has come to a point: type = number, length = value (nx_event)
 *   p, v      it begins a P or a V of the semaphore with the number type
 *   interrupt, returned    a device's service routine begins and ends on its processor
 * What a thread of a program with parallel loops does from then on (userlib/loops/watch.hpp); peer = the
 * thread among those of its process, message = its number in the outermost team and, from bit 16 on, in the
 * team within that, type = of which of Cedar's loops: 1 of an SDOALL between clusters, 2 of a CDOALL in it,
 * 3 of a loop of one cluster alone, 4 of an XDOALL or a DOACROSS between clusters, 5 within one; 0 otherwise:
 *   serial      code outside of all loops
 *   set_up      it makes a loop known, or joins one; length = iterations, or 0
 *   pick_up     it asks for iterations
 *   iterations  it runs some, length of them; 0: there were none left, or it took them without asking
 *   barrier     it is at the barrier behind a loop, or one of the program's
 *   turn_wait   it waits for its turn in a loop's ordered region
 *   work_wait   it waits for a loop
 *   spent       the program ends: so many cycles (length) went to the activity whose number the lowest 8 bits
 *               of type are, of the loop that the others say
 *   noted       the same of how often that activity began, each time with a record
 *   note_price  so many cycles (length) pass while a thread writes down so many of these (type) */
#define PARLEY_TRACE_EVENTS(X) \
    X(send, 1)                 \
    X(match, 2)                \
    X(receive, 3)              \
    X(wait, 4)                 \
    X(resume, 5)               \
    X(block, 6)                \
    X(wake, 7)                 \
    X(switch, 8)               \
    X(ended, 9)                \
    X(scheduled, 10)           \
    X(begun, 11)               \
    X(collected, 12)           \
    X(freed, 13)               \
    X(event, 14)               \
    X(p, 15)                   \
    X(v, 16)                   \
    X(serial, 17)              \
    X(set_up, 18)              \
    X(pick_up, 19)             \
    X(iterations, 20)          \
    X(barrier, 21)             \
    X(turn_wait, 22)           \
    X(work_wait, 23)           \
    X(spent, 24)               \
    X(noted, 25)               \
    X(note_price, 26)          \
    X(interrupt, 27)           \
    X(returned, 28)

struct parley_trace_record {
    unsigned long time; /* time-stamp counter */
    unsigned long length;
    unsigned int message;
    unsigned int type;
    unsigned short job;     /* number + 1; 0: the kernel's own */
    unsigned short process; /* endpoint in its job */
    unsigned short peer;    /* endpoint in the same job */
    unsigned char event;
    unsigned char processor;
};

/* Lies before the records of a processor, and before those that a process writes itself. */
struct parley_trace_buffer {
    unsigned long drawn; /* places so far, also such as there is no room for; counted up by one atomic step,
                            and a record goes to the place of the number before it */
    unsigned long reserved[7]; /* the writer's own counters */
};

struct parley_trace_head {
    unsigned int version;
    unsigned int record_bytes;
    unsigned int job;    /* as in a record: the records are those of one process; 0: those of one processor */
    unsigned int source; /* endpoint, or number of the processor */
    unsigned long lost;  /* records for which there was no room, counted once a source */
    unsigned long clock_hertz;
    unsigned long clock_start;
};

#endif
