/* SPDX-License-Identifier: MIT */
/* The parts of the Active Message layer of one process. Nothing of it is seen by other processes: they send
 * packets. It is changed in calls of am.h only, which the process makes one at a time; a handler of NX/2
 * that interrupts a wait of such a call may make others, so nothing waits in the middle of a change. */
#ifndef PARLEY_AM_LAYER_H
#define PARLEY_AM_LAYER_H

#include "interface/senders.h"
#include "userlib/am/packet.h"

#include <am.h>

enum { nx_am_handlers = 256, nx_am_most_entries = 4096, nx_am_most_requests = 256, nx_am_accepted = 4 };

/* A shift finds it in its table. */
struct nx_am_entry {
    int is_mapped;
    en_t name;
    tag_t tag;
    uint64_t rest;     /* of a request's packet, but for handler and words */
    unsigned long way; /* of requests, once it is known and lasts (nx_am_find_way()); else 0 */
    long type;         /* of a request */
    uint64_t unused[2];
};
_Static_assert((sizeof(struct nx_am_entry) & (sizeof(struct nx_am_entry) - 1)) == 0, "a power of two");

struct am_bundle {
    eb_t self;          /* null: this place is free */
    int mask;           /* of events */
    unsigned endpoints; /* those in it, as bits */
    long types;         /* of packets that a poll takes: for its endpoints, and for places that are free */
    long reply_types;   /* the same, replies alone */
    ep_t requester;     /* its endpoint that has made the last request, or another; or nx_am_nobody() */
};

struct am_endpoint {
    ep_t self;    /* null: this place is free */
    eb_t bundle;  /* null, too, then */
    uint8_t life; /* how often the place has been taken; it stays while the place is free */
    tag_t tag;
    unsigned char *segment;
    uintptr_t segment_bytes;
    struct nx_am_entry *entries;
    int entry_count;
    int requests_left; /* that may be made before a reply comes; it is below 0 where fewer may be than wait */
    int most_requests; /* that may wait for their replies */
    uint64_t source;   /* its number, where packets have it (nx_am_rest()) */
    am_function handlers[nx_am_handlers];
};

/* The message whose handler runs. Its token is a number that no other message has; 0: there is none. */
struct nx_am_running {
    uintptr_t token;
    ep_t endpoint;
    const struct nx_am_packet *packet;
    void *bulk;           /* of a packet that has any: where its handler finds it */
    unsigned long sender; /* senders.h */
    int may_reply;        /* a request's, and it has not */
};

struct nx_am {
    int is_ready;
    struct am_bundle bundles[nx_am_most_endpoints];
    struct am_endpoint endpoints[nx_am_most_endpoints];
    struct nx_am_running running[3]; /* of nobody, of a handler, and of one that runs inside its reply */
    ep_t returning;                  /* the endpoint whose handler 0 was called last */
    eb_t polled;                     /* the bundle that was polled last, if a poll of it needs no check */
    uintptr_t last_token;
};

extern struct nx_am nx_am __attribute__((visibility("hidden")));
extern struct nx_am_running *nx_am_runs __attribute__((visibility("hidden"))); /* the one that runs now */
/* The requester of the bundle of which a poll has run a handler, if no request was made since and no handler
 * runs; else nx_am_nobody(). Its next request needs no poll, and no look at whether there is such an endpoint
 * or whether a handler makes it. */
extern ep_t nx_am_polled_for __attribute__((visibility("hidden")));

static inline int nx_am_number(ep_t endpoint)
{
    return (int)(endpoint - nx_am.endpoints);
}

/* Whether the pointer is one of the bundles or endpoints that the program has: what it says of itself is read
 * only inside the table. */
static inline int nx_am_is_bundle(eb_t bundle)
{
    return (uintptr_t)bundle - (uintptr_t)nx_am.bundles <= sizeof nx_am.bundles - sizeof *bundle &&
           bundle->self == bundle;
}
static inline int nx_am_is_endpoint(ep_t endpoint)
{
    return (uintptr_t)endpoint - (uintptr_t)nx_am.endpoints <= sizeof nx_am.endpoints - sizeof *endpoint &&
           endpoint->self == endpoint;
}

/* What no program has for a bundle or an endpoint, not even null: nothing lies at an odd address. It is a
 * constant, which is compared and stored in one instruction. */
#define NX_AM_NOBODY ((ep_t)INT32_MAX)
static inline eb_t nx_am_no_bundle(void)
{
    return (eb_t)INT32_MAX;
}
static inline ep_t nx_am_nobody(void)
{
    return NX_AM_NOBODY;
}
/* How many handlers run. */
static inline int nx_am_depth(void)
{
    return (int)(nx_am_runs - nx_am.running);
}
/* One more runs from now on, so many that ran before: it may neither poll nor make a request. */
static inline struct nx_am_running *nx_am_enter(int depth)
{
    nx_am.polled = nx_am_no_bundle();
    nx_am_polled_for = nx_am_nobody();
    return nx_am_runs = &nx_am.running[depth + 1];
}
static inline int nx_am_node(const struct nx_am_running *running)
{
    return (int)(running->sender & PARLEY_SENDER_NODE);
}
static inline int nx_am_pid(const struct nx_am_running *running)
{
    return parley_address_pid(running->sender);
}
static inline void nx_am_leave(int depth)
{
    nx_am_runs = &nx_am.running[depth];
}

/* Says why a call is refused, and answers `error`. */
int nx_am_refuse(const char *call, int error, const char *sentence);
/* 0, or the answer of a call that is refused: the layer is not ready, there is no such endpoint or bundle. */
int nx_am_check_endpoint(const char *call, ep_t endpoint);
int nx_am_check_bundle(const char *call, eb_t bundle);

/* Polls: at most four messages, or replies only. `how` is take_active's (calls.def). */
void nx_am_poll(const char *call, eb_t bundle, long how);
/* Waits until something has come for the bundle. */
void nx_am_await_message(const char *call, eb_t bundle);

/* The message that has this token and whose handler runs, or null. */
struct nx_am_running *nx_am_find_running(void *token);

/* Calls handler 0. */
void nx_am_return(ep_t endpoint, int status, op_t opcode, const struct am_returned *what);
/* What comes back of a packet. */
struct am_returned nx_am_returned(const struct nx_am_packet *packet, int entry);

/* Sends a reply without a handler: the request is over (status 0), or comes back. */
void nx_am_end_request(const struct nx_am_running *request, int status);

/* Handler 0 of a new endpoint. */
void nx_am_end_program(int status, op_t opcode, void *what);

#endif
