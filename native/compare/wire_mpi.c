/* SPDX-License-Identifier: MIT */
#include "native/compare/wire.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { tag_message = 7 };

static int rank, ranks;
static MPI_Win window = MPI_WIN_NULL;

void wire_begin(int *count, char ***words)
{
    MPI_Init(count, words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

void wire_end(void)
{
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    MPI_Finalize();
}

int wire_rank(void)
{
    return rank;
}

int wire_ranks(void)
{
    return ranks;
}

size_t wire_longest(void)
{
    return SIZE_MAX;
}

void *wire_buffer(size_t bytes)
{
    const size_t whole = (bytes + 4095) / 4096 * 4096 + 4096;
    void *buffer = aligned_alloc(4096, whole);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memset(buffer, 1, whole);
}

void *wire_shared(size_t bytes)
{
    MPI_Aint size = rank == 0 ? (MPI_Aint)bytes : 0;
    int unit;
    void *memory;
    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, &memory);
    if (rank == 0)
        memset(memory, 0, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return memory;
}

void wire_send(void **buffer, size_t bytes, int to)
{
    MPI_Send(*buffer, (int)bytes, MPI_BYTE, to, tag_message, MPI_COMM_WORLD);
}

void wire_receive(void **buffer, size_t bytes, int from)
{
    MPI_Recv(*buffer, (int)bytes, MPI_BYTE, from, tag_message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void wire_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void wire_broadcast(void *buffer, size_t bytes, int root)
{
    MPI_Bcast(buffer, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

void wire_sum(double *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
