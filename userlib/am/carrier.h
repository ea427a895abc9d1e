/* SPDX-License-Identifier: MIT */
/* Takes packets from process to process, over the NX message calls, in the way the design wants buffers. No
 * send waits for its receiver, so two processes that send to each other both go on to poll. What a call of
 * NX refuses ends the program, in the name of `call`. */
#ifndef PARLEY_AM_CARRIER_H
#define PARLEY_AM_CARRIER_H

#include "userlib/am/packet.h"

struct nx_am_arrival {
    struct nx_am_packet *packet; /* the receiver's until nx_am_release() */
    long type;
    long length; /* of what has come, whatever the packet says */
    int node;
    int pid;
};

/* How deep receives are nested: in a poll, and in that of a reply which a handler of the first one sends. */
enum { nx_am_depths = 2 };

/* 1: it is on its way. 0: the process there has been killed. */
int nx_am_send(const char *call, int node, int pid, long type, const struct nx_am_packet *packet);

/* 1: the oldest packet of these types; 0: there is none. */
int nx_am_receive(const char *call, long types, int depth, struct nx_am_arrival *arrival);
void nx_am_release(const struct nx_am_arrival *arrival);

/* Waits until a packet of these types is there. */
void nx_am_await(const char *call, long types);

/* The program ends: what it has lent is waited for, and nothing that comes meanwhile keeps its sender. */
void nx_am_close(void);

#endif
