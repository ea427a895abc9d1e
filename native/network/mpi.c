/* SPDX-License-Identifier: MIT */
/* The adapter to an MPI, whichever one's compiler compiles this. Errors are MPI's own to tell: it ends all
 * machines' processes then. */
#include "native/network/adapter.h"

#include <mpi.h>
#include <stdlib.h>

static MPI_Comm network;

static void begin(unsigned *machine, unsigned *machines)
{
    int rank, size;
    MPI_Init(0, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &network);
    MPI_Comm_rank(network, &rank);
    MPI_Comm_size(network, &size);
    *machine = (unsigned)rank;
    *machines = (unsigned)size;
}

static void gather(const void *own, void *all, unsigned long bytes)
{
    MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, network);
}

static MPI_Request *new_request(void)
{
    MPI_Request *const request = malloc(sizeof *request);
    if (!request)
        abort();
    return request;
}

/* A message has at most 2 GiB less one byte, and a frame less: an int holds both. */
static void *send(unsigned machine, enum parley_channel channel, const void *bytes, unsigned long count)
{
    MPI_Request *const request = new_request();
    MPI_Isend(bytes, (int)count, MPI_BYTE, (int)machine, (int)channel, network, request);
    return request;
}

static void *receive(unsigned machine, enum parley_channel channel, void *bytes, unsigned long count)
{
    MPI_Request *const request = new_request();
    MPI_Irecv(bytes, (int)count, MPI_BYTE, (int)machine, (int)channel, network, request);
    return request;
}

static void *begin_gather(const void *own, void *all, unsigned long bytes)
{
    MPI_Request *const request = new_request();
    MPI_Iallgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, network, request);
    return request;
}

static int done(void *transfer)
{
    int flag = 0;
    MPI_Test(transfer, &flag, MPI_STATUS_IGNORE);
    if (flag)
        free(transfer);
    return flag;
}

static long look(unsigned *machine)
{
    int flag = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, parley_channel_frames, network, &flag, &status);
    if (!flag)
        return -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *machine = (unsigned)status.MPI_SOURCE;
    return count;
}

static void take(unsigned machine, void *bytes, unsigned long count)
{
    MPI_Recv(bytes, (int)count, MPI_BYTE, (int)machine, parley_channel_frames, network, MPI_STATUS_IGNORE);
}

static void end(void)
{
    MPI_Comm_free(&network);
    MPI_Finalize();
}

const struct parley_network_adapter parley_network_adapter = {
    .version = PARLEY_ADAPTER_VERSION,
    .begin = begin,
    .gather = gather,
    .send = send,
    .receive = receive,
    .done = done,
    .begin_gather = begin_gather,
    .look = look,
    .take = take,
    .end = end,
};
