/* SPDX-License-Identifier: MIT */
/* What a program sent, and how long it was inside the message system: the time-stamp counter is read around
 * every call, and what the two readings themselves cost is taken out again. */
#ifndef PARLEY_APPS_TRAFFIC_H
#define PARLEY_APPS_TRAFFIC_H

#include <nx.h>

struct traffic {
    unsigned long cycles; /* between the readings around the calls */
    long visits;          /* to the message system, of one call or a few, each with its two readings */
    long messages;        /* sent; a broadcast is one */
    long bytes;           /* of those messages */
};

static inline void traffic_call(struct traffic *traffic, unsigned long since)
{
    traffic->cycles += nx_cycles() - since;
    traffic->visits++;
}

static inline void traffic_sent(struct traffic *traffic, long bytes)
{
    traffic->messages++;
    traffic->bytes += bytes;
}

/* What two readings with nothing between them show: the least of many pairs. */
static inline unsigned long traffic_reading_cost(void)
{
    unsigned long least = ~0ul;
    for (int i = 0; i < 1000; i++) {
        unsigned long since = nx_cycles();
        unsigned long cost = nx_cycles() - since;
        least = cost < least ? cost : least;
    }
    return least;
}

static inline double traffic_seconds(const struct traffic *traffic, unsigned long reading_cost)
{
    unsigned long readings = (unsigned long)traffic->visits * reading_cost;
    unsigned long inside = traffic->cycles > readings ? traffic->cycles - readings : 0;
    return (double)inside / nx_cycles_per_second();
}

#endif
