/* SPDX-License-Identifier: MIT */
/* Takes packets from process to process. On one machine a packet goes straight into its destination's queue
 * of requests or of replies (calls.def: send_active); its bulk goes before it as an NX message, in the way
 * the design wants buffers. Where a delivery process or a network is between, the whole packet is such a
 * message. No send waits for its receiver, so two processes that send to each other both go on to poll. What
 * a call refuses ends the program, in the name of `call`. */
#ifndef PARLEY_AM_CARRIER_H
#define PARLEY_AM_CARRIER_H

#include "userlib/am/packet.h"

struct nx_am_arrival {
    struct nx_am_packet *packet; /* the receiver's until nx_am_release() */
    int is_block;                /* of the design's, which is to be released */
    long type;
    long length; /* of what has come, whatever the packet says */
    int node;
    int pid;
};

/* How deep receives are nested: in a poll, and in that of a reply which a handler of the first one sends. */
enum { nx_am_depths = 2 };

/* How many arrivals receives have accounted for. As many as there are: nothing else has come, but for what is
 * being sent in this moment. */
struct nx_am_seen {
    const unsigned *arrivals; /* where nobody knows: a number that is never that of those accounted for */
    unsigned accounted;
};
extern struct nx_am_seen nx_am_seen __attribute__((visibility("hidden")));

/* Called once, before the others. */
void nx_am_open(void);

/* 1: it is on its way. 0: the process there has been killed. The packet's serial is the carrier's. */
int nx_am_send(const char *call, int node, int pid, long type, struct nx_am_packet *packet);

/* 1: the oldest packet of these types, or of those that are for replies; 0: there is none. */
int nx_am_receive(const char *call, long types, int only_replies, int depth, struct nx_am_arrival *arrival);
void nx_am_release(const struct nx_am_arrival *arrival);

/* Whether a receive of anything would find nothing: for two loads, where the process can see that nothing has
 * come. */
static inline int nx_am_has_nothing(void)
{
    return __atomic_load_n(nx_am_seen.arrivals, __ATOMIC_ACQUIRE) == nx_am_seen.accounted;
}

/* Waits until a packet of these types is there. */
void nx_am_await(const char *call, long types);

/* The program ends: what it has lent is waited for, and nothing that comes meanwhile keeps its sender. */
void nx_am_close(void);

#endif
