/* SPDX-License-Identifier: MIT */
/* The calls on a message system as one process makes them: a table that is bound once for the process, so
 * that no call has to find out where the message system is. The system makes the table for its direct
 * callers (the kernel for the process's proxies, the process in user location); libnx makes it from
 * proxies. */
#ifndef PARLEY_KERNEL_INTERFACE_MESSAGE_CALLS_H
#define PARLEY_KERNEL_INTERFACE_MESSAGE_CALLS_H

#include "interface/receive_status.h"

/* The arguments of a send and of a receive, in the order of the words of their proxy calls. */
struct parley_send {
    long type;
    unsigned long buffer; /* an address in the caller's memory, as everywhere here */
    long length;
    long node;             /* -1: all nodes but the caller's */
    unsigned long address; /* senders.h */
};

struct parley_receive {
    long typesel;
    unsigned long buffer;
    long maximum;
    unsigned long from; /* senders.h */
    unsigned long mask;
};

/* What a process's calls leave for the process itself, which reads it before its next call. */
struct parley_left {
    struct parley_send unsent; /* the last send that has answered something else than 0 */
    unsigned long block;       /* where the bytes are that the last receive_block has found */
};

enum parley_watch {
    parley_watch_off = 0,
    parley_watch_armed = -1,
    parley_watch_due = -2,
    parley_watch_held = -3
};

/* What a probe does where there is no message. Whoever looks alone will probably ask again, so others may run
 * first, unless it says that it has something else to do. */
enum parley_probe { parley_probe_looks = 0, parley_probe_waits = 1, parley_probe_goes_on = 2 };

typedef long parley_answer_value;
typedef struct parley_receive_status parley_answer_found;
typedef struct parley_receive_status parley_answer_block;

#define PARLEY_WORDS(...) __VA_ARGS__

/* A word by which a process sees whether something has come: as long as the word is less than `something`,
 * nothing has. */
struct parley_watched {
    const unsigned long* word;
    unsigned long something;
};

/* Every call gets `self` first, and only the process that the table was made for makes it. The table is the
 * same as long as the process is in the message system. */
struct parley_calls {
    void* self;
    const struct parley_left* left;
    /* Two, of requests and of replies: as long as nothing has come by either, take_active would find nothing.
     * The caller's own calls change both. Null: the caller cannot read the words. */
    const struct parley_watched* watched;
    /* A number that grows after each message that a delivery process or a network brings to the caller. Null:
     * the caller cannot read it. */
    const unsigned* arrivals;
    /* So many polls for Active Messages that find nothing by `watched` need no call: each takes one from this
     * number. They are among those of which one in some looks into an interface that joins the caller's
     * multiprocessor with others. Null: each such poll needs a call. */
    unsigned long* passable;
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    parley_answer_##answer (*name)(void* self, PARLEY_WORDS parameters);
#include "interface/calls.def"
};

#endif
