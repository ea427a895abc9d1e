/* SPDX-License-Identifier: MIT */
#include "native/compare/wire.h"

#include <nx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { type_message = 7, type_shared = 8, type_broadcast = 9 };

void wire_begin(int *count, char ***words)
{
    (void)count, (void)words;
}

void wire_end(void)
{
    gsync();
}

int wire_rank(void)
{
    return (int)mynode();
}

int wire_ranks(void)
{
    return (int)numnodes();
}

size_t wire_longest(void)
{
    return SIZE_MAX;
}

static void *room(void *memory)
{
    if (memory)
        return memory;
    fprintf(stderr, "measure: there is no memory for a buffer\n");
    exit(1);
}

void *wire_buffer(size_t bytes)
{
    const size_t whole = (bytes + 4095) / 4096 * 4096 + 4096;
    void *buffer = nx_needs_shared() || nx_hands_over() ? nx_alloc((long)whole) : aligned_alloc(4096, whole);
    return memset(room(buffer), 1, whole);
}

void *wire_shared(size_t bytes)
{
    void *memory = 0;
    if (mynode() == 0)
        memory = memset(room(nx_alloc((long)bytes)), 0, bytes);
    for (long node = 1; mynode() == 0 && node < numnodes(); node++) {
        void **const letter = room(nx_alloc(sizeof memory));
        *letter = memory;
        csend(type_shared, letter, sizeof memory, node, 0);
    }
    if (mynode() != 0) {
        void **letter = nx_alloc(sizeof memory);
        crecvp(type_shared, (void **)&letter, sizeof memory);
        memory = *letter;
    }
    return memory;
}

void wire_send(void **buffer, size_t bytes, int to)
{
    csend(type_message, *buffer, (long)bytes, to, 0);
}

void wire_receive(void **buffer, size_t bytes, int from)
{
    (void)from;
    if (nx_hands_over())
        crecvp(type_message, buffer, (long)bytes);
    else
        crecv(type_message, *buffer, (long)bytes);
}

void wire_barrier(void)
{
    gsync();
}

void wire_broadcast(void *buffer, size_t bytes, int root)
{
    if (mynode() == root)
        csend(type_broadcast, buffer, (long)bytes, -1, 0);
    else
        crecv(type_broadcast, buffer, (long)bytes);
}

void wire_sum(double *values, int count)
{
    double work[64];
    gdsum(values, count, work);
}
