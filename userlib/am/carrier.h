/* SPDX-License-Identifier: MIT */
/* Takes packets from process to process. On one machine a packet goes straight into its destination's queue
 * of requests or of replies (calls.def: send_active); its bulk goes before it as an NX message, in the way
 * the design wants buffers. Where a delivery process or a network is between, the whole packet is such a
 * message. No send waits for its receiver, so two processes that send to each other both go on to poll. What
 * a call refuses ends the program, in the name of `call`. */
#ifndef PARLEY_AM_CARRIER_H
#define PARLEY_AM_CARRIER_H

#include "interface/active_messages.h"
#include "userlib/am/packet.h"
#include "userlib/nx/operations.h"

struct nx_am_arrival {
    struct nx_am_packet *packet; /* the receiver's until nx_am_release() */
    void *bulk;                  /* where that lies; until then, too, unless that is a segment */
    void *block;                 /* of the design's, which is to be released, or null */
    long type;
    long length; /* of what has come, whatever the packet says */
    int node;
    int pid;
};

/* How deep receives are nested: in a poll, and in that of a reply which a handler of the first one sends. */
enum { nx_am_depths = 2 };

/* Where the process sees what has come directly (message_calls.h): of requests, and of replies. Where it
 * cannot, or has more to look for, words that always say that something may have come. */
extern const struct parley_watched *nx_am_watched __attribute__((visibility("hidden")));

/* Called once, before the others. */
void nx_am_open(void);

/* The way by which a packet of that type goes straight into its destination's queue (calls.def: find_active).
 * 0: it does not go so. It is the same for all types of requests, and for all of replies. */
unsigned long nx_am_find_way(int node, int pid, long type);
/* Whether that pid leads to the same process as long as the job lasts. One that a program has chosen (setpid)
 * does not, so no way there is kept. */
int nx_am_is_lasting(int pid);

/* Puts a packet of that type, whose first bytes these are, by its way. 0, or minus an error: then nothing is
 * sent, and nx_am_send() says why. */
static inline long nx_am_put(unsigned long way, long type, const void *packet, long length)
{
    return NX_CALL(send_active, way, (unsigned long)(type + (length << 32)), (unsigned long)packet);
}

/* Sends a packet, and from `bulk` its bulk. 1: it is on its way. 0: the process there has been killed. The
 * packet's serial and its room for the bulk are the carrier's. */
int nx_am_send(const char *call, int node, int pid, long type, struct nx_am_packet *packet, const void *bulk);

/* 1: the oldest packet of these types that has come directly, or by NX; 0: there is none. `how` is
 * take_active's (calls.def): with PARLEY_TAKES_REPLIES the types are of replies alone. */
int nx_am_receive_near(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival);
int nx_am_receive_far(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival);
void nx_am_release(const struct nx_am_arrival *arrival);
/* What the layer above answers a receive: where in a segment the bulk of a packet lies when its handler runs.
 * Null: nowhere, or nothing is let in there. */
void *nx_am_place_of_bulk(const struct nx_am_arrival *arrival);

/* Packets come straight into the process's queues and by no other way, and none is set aside: then a receive
 * may be nx_am_take() alone. */
extern int nx_am_comes_directly __attribute__((visibility("hidden")));
/* A packet for each depth of receives. */
extern struct nx_am_packet *nx_am_rooms[nx_am_depths] __attribute__((visibility("hidden")));

static inline int nx_am_shows_nothing(const struct parley_watched *watched)
{
    return __atomic_load_n(watched->word, __ATOMIC_ACQUIRE) < watched->something;
}

/* Whether the process sees that a receive of anything would find nothing, or one of replies. */
static inline int nx_am_has_nothing(void)
{
    const struct parley_watched *watched = nx_am_watched;
    return nx_am_shows_nothing(&watched[0]) && nx_am_shows_nothing(&watched[1]);
}
static inline int nx_am_has_no_reply(void)
{
    return nx_am_shows_nothing(&nx_am_watched[1]);
}

/* Where packets come by NX as well, and polls may pass: the same of what comes directly, and how many may. */
extern const struct parley_watched *nx_am_near_watched __attribute__((visibility("hidden")));
extern int nx_am_sees_directly __attribute__((visibility("hidden")));
extern unsigned long *nx_am_passable __attribute__((visibility("hidden")));

/* As nx_am_has_nothing() and nx_am_has_no_reply(), for a poll, which passes then. */
static inline int nx_am_passes(void)
{
    const struct parley_watched *watched = nx_am_near_watched;
    if (*nx_am_passable == 0 || !nx_am_shows_nothing(&watched[0]) || !nx_am_shows_nothing(&watched[1]))
        return 0;
    --*nx_am_passable;
    return 1;
}
static inline int nx_am_passes_of_replies(void)
{
    if (*nx_am_passable == 0 || !nx_am_shows_nothing(&nx_am_near_watched[1]))
        return 0;
    --*nx_am_passable;
    return 1;
}

/* Whether something may have come directly, where the process sees that. */
static inline int nx_am_sees_near(long how)
{
    const struct parley_watched *watched = nx_am_near_watched;
    return nx_am_sees_directly && !(nx_am_shows_nothing(&watched[1]) &&
                                    (how & PARLEY_TAKES_REPLIES || nx_am_shows_nothing(&watched[0])));
}

/* Takes the oldest packet of all, or that is a reply, as `how` says, without its bulk. 0: there is none. */
static inline int nx_am_take(const char *call, long how, struct nx_am_packet *room,
                             struct parley_receive_status *found)
{
    *found = NX_CALL(take_active, how, (unsigned long)room);
    if (__builtin_expect(found->contents >= 0, 1))
        return 1;
    if (found->contents != -nx_error_would_block)
        nx_fail(call, -found->contents);
    return 0;
}
/* Goes on with a packet that nx_am_take() has written to the room of that depth, as nx_am_receive_near(). */
int nx_am_receive_taken(const char *call, long types, long how, int depth, struct parley_receive_status found,
                        struct nx_am_arrival *arrival);

/* Waits until a packet of these types is there. */
void nx_am_await(const char *call, long types);

/* The program ends, perhaps after the layer: what it has lent is waited for, and nothing that comes meanwhile
 * keeps its sender. No packet is received after this. */
void nx_am_close(void);

#endif
