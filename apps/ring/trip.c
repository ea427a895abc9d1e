/* SPDX-License-Identifier: MIT */
#include "trip.h"

#include "contents.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { type_trip = 1, type_around = 2 };

static long next_node(void)
{
    return mynode() + 1 == numnodes() ? 0 : mynode() + 1;
}

static void *need_block(long bytes)
{
    void *block = nx_alloc(bytes);
    if (!block) {
        nx_perror("ring: nx_alloc");
        exit(1);
    }
    return block;
}

static void must_be_right(const struct trip *trip, long wrong)
{
    if (!wrong)
        return;
    fprintf(stderr, "ring: node %ld: %ld wrong words in a message of %ld bytes\n", mynode(), wrong,
            trip->bytes);
    exit(1);
}

static void use(struct trip *trip, unsigned seed)
{
    if (trip->access == access_read)
        must_be_right(trip, contents_compare(trip->buffer, trip->bytes, seed));
    else if (trip->access == access_write)
        contents_fill(trip->buffer, trip->bytes, seed);
    else if (trip->access == access_only_read)
        contents_read(trip->buffer, trip->bytes);
}

struct trip trip_of(enum ring_access access)
{
    return (struct trip){.node = mynode(), .next = next_node(), .access = access};
}

static void send_on(struct trip *trip)
{
    csend(type_trip, trip->buffer, trip->bytes, trip->next, 0);
}

static void take(struct trip *trip)
{
    crecvp(type_trip, &trip->buffer, trip->bytes);
}

void trip_timed(struct trip *trip, unsigned seed)
{
    if (trip->node == 0) {
        send_on(trip);
        take(trip);
        use(trip, seed);
    } else {
        take(trip);
        use(trip, seed);
        send_on(trip);
    }
}

static void take_checked(struct trip *trip, unsigned seed)
{
    take(trip);
    must_be_right(trip, infocount() != trip->bytes ? 1 : contents_compare(trip->buffer, trip->bytes, seed));
}

void trip_checked(struct trip *trip, unsigned seed)
{
    if (trip->node == 0) {
        contents_fill(trip->buffer, trip->bytes, seed);
        send_on(trip);
        take_checked(trip, seed);
    } else {
        take_checked(trip, seed);
        send_on(trip);
    }
}

void trip_resize(struct trip *trip, long bytes)
{
    nx_free(trip->buffer);
    trip->bytes = bytes;
    trip->buffer = trip->node == 0 && bytes > 0 ? need_block(bytes) : 0;
}

/* A block that was only lent may be freed when the send has ended. */
static void send_away(void *block, long bytes)
{
    msgwait(isend(type_around, block, bytes, next_node(), 0));
}

void around(void *data, long bytes)
{
    void *block = 0;
    if (mynode() == 0) {
        block = need_block(bytes);
        memcpy(block, data, (size_t)bytes);
        long id = isend(type_around, block, bytes, next_node(), 0);
        crecvp(type_around, &block, bytes);
        msgwait(id);
    } else {
        crecvp(type_around, &block, bytes);
        memcpy(data, block, (size_t)bytes);
        send_away(block, bytes);
    }
    nx_free(block);
}
