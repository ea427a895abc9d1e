/* SPDX-License-Identifier: MIT */
/* What the comparison asks of a message system: the calls of its user's program, and nothing in between.
 * wire_nx.c, wire_mpi.c, wire_socket.c and wire_limit.c are linked in turn; all else of measure.c is the
 * same. */
#ifndef PARLEY_COMPARE_WIRE_H
#define PARLEY_COMPARE_WIRE_H

#include <stddef.h>

void wire_begin(int* count, char*** words);
void wire_end(void);

int wire_rank(void);
int wire_ranks(void);
/* In bytes, of the messages that it passes; rows of longer ones are left out. */
size_t wire_longest(void);

/* Memory of this rank alone: a buffer for messages of up to so many bytes, for sending or for receiving. A
 * system that hands buffers over may put another in its place. */
void* wire_buffer(size_t bytes);
/* Memory that all ranks share, zeroed, at any address. All ranks call it at once. */
void* wire_shared(size_t bytes);

void wire_send(void** buffer, size_t bytes, int to);
void wire_receive(void** buffer, size_t bytes, int from);

void wire_barrier(void);
/* Copies the buffer of the rank `root` to all. */
void wire_broadcast(void* buffer, size_t bytes, int root);
/* Adds each element over all ranks; every rank has the sums afterwards. */
void wire_sum(double* values, int count);

#endif
