/* SPDX-License-Identifier: MIT */
/* An Active Message as it travels: one cache line, of which only the words that are used are sent, and behind
 * it the bulk of a medium or long one. It is an NX message in a context of its own, whose type says for which
 * endpoint it is and whether it is a reply, so one selector of types stands for a bundle. */
#ifndef PARLEY_AM_PACKET_H
#define PARLEY_AM_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum { nx_am_most_words = 8, nx_am_most_bytes = 8192, nx_am_most_endpoints = 15 };

enum nx_am_shape { nx_am_short, nx_am_medium, nx_am_long };

struct nx_am_packet {
    uint64_t tag;
    uint64_t offset; /* of a long one: where in the segment its bytes go */
    uint16_t bytes;  /* of bulk */
    uint16_t entry;  /* of a request: its destination's, by which it is known when it comes back */
    uint8_t handler; /* 0: a reply that only says that the request is over */
    uint8_t shape;   /* enum nx_am_shape; of what comes back: its own */
    uint8_t words;
    uint8_t source; /* the number of the sender's endpoint */
    uint8_t life;   /* the number of that endpoint's life: a place is used again */
    uint8_t status; /* of a reply: 0, or why the request comes back */
    uint8_t unused[6];
    int32_t word[nx_am_most_words];
    unsigned char bulk[nx_am_most_bytes];
};

_Static_assert(offsetof(struct nx_am_packet, bulk) == 64, "what is not bulk is one cache line");

static inline long nx_am_length(const struct nx_am_packet *packet)
{
    return packet->bytes
               ? (long)offsetof(struct nx_am_packet, bulk) + packet->bytes
               : (long)(offsetof(struct nx_am_packet, word) + packet->words * sizeof packet->word[0]);
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
