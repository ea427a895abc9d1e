/* SPDX-License-Identifier: MIT */
/* What nxrun asks of an MPI: few enough calls that mpi.c, compiled once with each MPI's own compiler, is all
 * that knows which one it is. It is loaded when a job is on several machines, and called by one thread of one
 * process a machine, which is a rank of MPI_COMM_WORLD. */
#ifndef PARLEY_NATIVE_NETWORK_ADAPTER_H
#define PARLEY_NATIVE_NETWORK_ADAPTER_H

/* Counts changes of this file. */
#define PARLEY_ADAPTER_VERSION 2u

/* The name of the table in a shared object. */
#define PARLEY_ADAPTER_SYMBOL "parley_network_adapter"

/* Frames, which whoever receives them asks for one by one, and the bytes of long messages, each announced by
 * a frame. Within a channel what one machine sends to another keeps its order. */
enum parley_channel { parley_channel_frames = 1, parley_channel_bytes = 2 };

struct parley_network_adapter {
    unsigned version;
    /* Enters the network; where MPI cannot, it ends the process with its own words. */
    void (*begin)(unsigned* machine, unsigned* machines);
    /* Called by all machines at once. Gathers what each says, `bytes` long, one after the other. */
    void (*gather)(const void* own, void* all, unsigned long bytes);
    /* send() and receive() begin a transfer; its memory stays as it is until done() has answered 1, once. */
    void* (*send)(unsigned machine, enum parley_channel channel, const void* bytes, unsigned long count);
    void* (*receive)(unsigned machine, enum parley_channel channel, void* bytes, unsigned long count);
    int (*done)(void* transfer);
    /* As gather(), but only begins it, as a transfer. All machines begin these in the same order, and each of
     * them is over on all when all have begun it. */
    void* (*begin_gather)(const void* own, void* all, unsigned long bytes);
    /* Answers the length of a frame that has come, and from where; -1: none has. */
    long (*look)(unsigned* machine);
    /* Takes the frame that look() has just seen. */
    void (*take)(unsigned machine, void* bytes, unsigned long count);
    /* Leaves, when every machine has said all that it had to. */
    void (*end)(void);
};

#endif
