/* SPDX-License-Identifier: MIT */
/* One message around the ring. Buffers come from nx_alloc and messages are received with crecvp, so that the
 * same program runs under every design: where blocks change owner, the very block of node 0 goes around. */
#ifndef PARLEY_RING_TRIP_H
#define PARLEY_RING_TRIP_H

#include "options.h"

struct trip {
    long node; /* this one and the next in the ring, looked up once */
    long next;
    void *buffer;
    long bytes;
    enum ring_access access;
};

struct trip trip_of(enum ring_access access);

/* A trip whose contents every node checks; ends the program when they are wrong. */
void trip_checked(struct trip *trip, unsigned seed);

/* A trip as it is timed; with access read the pattern is the one that the last checked trip left. */
void trip_timed(struct trip *trip, unsigned seed);

/* Takes a buffer of another size. */
void trip_resize(struct trip *trip, long bytes);

/* Node 0's bytes go around once and are everybody's afterwards. */
void around(void *data, long bytes);

#endif
