/* SPDX-License-Identifier: MIT */
/* An Active Message as it travels: one cache line, of which only the words that are used are sent, and behind
 * it the bulk of a medium or long one. Its type says for which endpoint it is and whether it is a reply, so
 * one selector of types stands for a bundle. How packets travel is the carrier's. */
#ifndef PARLEY_AM_PACKET_H
#define PARLEY_AM_PACKET_H

#include "interface/active_messages.h"

#include <stddef.h>
#include <stdint.h>

enum { nx_am_most_words = 8, nx_am_most_bytes = 8192, nx_am_most_endpoints = 15 };

enum nx_am_shape { nx_am_short, nx_am_medium, nx_am_long };

struct nx_am_packet {
    uint64_t tag;
    uint16_t entry;     /* of a request: its destination's, by which it is known when it comes back */
    uint16_t bytes;     /* of bulk */
    uint8_t handler;    /* 0: a reply that only says that the request is over */
    uint8_t life;       /* the number of the sending endpoint's life: a place is used again */
    uint8_t words : 4;  /* how many */
    uint8_t shape : 4;  /* enum nx_am_shape; of what comes back: its own */
    uint8_t source : 4; /* the number of the sender's endpoint */
    uint8_t status : 4; /* of a reply: 0, or why the request comes back */
    int32_t word[nx_am_most_words];
    uint64_t offset; /* of a long one: where in the segment its bytes go */
    uint32_t serial; /* the carrier's: by which the bulk is found that has come apart from this */
    uint32_t unused;
    unsigned char bulk[nx_am_most_bytes];
};

/* The front of a packet as numbers, so that a short one is written in few stores. Its words follow. */
struct nx_am_front {
    uint64_t tag;
    uint64_t rest;
    int32_t word[];
};

/* What a packet has behind its tag. */
static inline uint64_t nx_am_rest(int entry, int handler, int life, int words, int source)
{
    return (uint64_t)entry | (uint64_t)handler << 32 | (uint64_t)life << 40 | (uint64_t)words << 48 |
           (uint64_t)source << 56;
}

_Static_assert(offsetof(struct nx_am_packet, word) == 16, "with six words it is 40 bytes");
_Static_assert(offsetof(struct nx_am_packet, bulk) == PARLEY_ACTIVE_BYTES, "the rest is one cache line");

/* The bytes of a packet before its bulk. */
static inline long nx_am_front_length(const struct nx_am_packet *packet)
{
    return packet->shape == nx_am_short && !packet->status
               ? (long)(offsetof(struct nx_am_packet, word) + packet->words * sizeof packet->word[0])
               : (long)offsetof(struct nx_am_packet, bulk);
}

static inline long nx_am_length(const struct nx_am_packet *packet)
{
    return nx_am_front_length(packet) + packet->bytes;
}

/* The NX type of what goes to the endpoint of that number. */
static inline long nx_am_type(int endpoint, int is_reply)
{
    return 2 * endpoint + is_reply;
}

static inline int nx_am_type_endpoint(long type)
{
    return (int)(type / 2);
}

static inline int nx_am_type_is_reply(long type)
{
    return (int)(type % 2);
}

/* A selector of types: requests and replies, or replies alone, of all endpoints in a set of bits. */
static inline long nx_am_types(unsigned endpoints, int only_replies)
{
    unsigned types = 0;
    for (int i = 0; i < nx_am_most_endpoints; i++)
        if (endpoints >> i & 1)
            types |= (only_replies ? 2u : 3u) << 2 * i;
    return (int)(1u << 31 | types);
}

#endif
