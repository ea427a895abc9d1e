/* SPDX-License-Identifier: MIT */
/* The collective calls are MPI's own; who waits for the others gives its processor to them. */
#include "native/oracle/mail.h"

#include <mpi.h>
#include <nx.h>

static void await(MPI_Request request)
{
    int done = 0;
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
        mail_progress();
        mail_idle();
    }
}

void gsync(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    await(request);
}

#define REDUCTION(name, type, mpi_type, operation)                                              \
    void name(type x[], long n, type work[])                                                    \
    {                                                                                           \
        MPI_Request request;                                                                    \
        (void)work;                                                                             \
        MPI_Iallreduce(MPI_IN_PLACE, x, (int)n, mpi_type, operation, MPI_COMM_WORLD, &request); \
        await(request);                                                                         \
    }
#define ARITHMETIC(letter, type, mpi_type)               \
    REDUCTION(g##letter##sum, type, mpi_type, MPI_SUM)   \
    REDUCTION(g##letter##prod, type, mpi_type, MPI_PROD) \
    REDUCTION(g##letter##high, type, mpi_type, MPI_MAX)  \
    REDUCTION(g##letter##low, type, mpi_type, MPI_MIN)

ARITHMETIC(d, double, MPI_DOUBLE)
ARITHMETIC(s, float, MPI_FLOAT)
ARITHMETIC(i, long, MPI_LONG)
REDUCTION(giand, long, MPI_LONG, MPI_BAND)
REDUCTION(gior, long, MPI_LONG, MPI_BOR)
REDUCTION(gixor, long, MPI_LONG, MPI_BXOR)
REDUCTION(gland, long, MPI_LONG, MPI_LAND)
REDUCTION(glor, long, MPI_LONG, MPI_LOR)
REDUCTION(glxor, long, MPI_LONG, MPI_LXOR)
