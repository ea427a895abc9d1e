/* SPDX-License-Identifier: MIT */
/* A rank's life, its place in the job, and the clocks. */
#define _GNU_SOURCE
#include "native/oracle/blocks.h"
#include "native/oracle/mail.h"

#include <mpi.h>
#include <nx.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double began;

static void leave(int status, void *nothing)
{
    (void)nothing;
    fflush(0);
    if (status != 0)
        MPI_Abort(MPI_COMM_WORLD, status);
    mail_finish();
    MPI_Finalize();
}

__attribute__((constructor)) static void join(void)
{
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &mail_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mail_ranks);
    blocks_begin();
    began = MPI_Wtime();
    on_exit(leave, 0);
}

long mynode(void)
{
    return mail_rank;
}

long numnodes(void)
{
    return mail_ranks;
}

long mypid(void)
{
    return 0;
}

long myhost(void)
{
    return mail_ranks;
}

long nodedim(void)
{
    long dimension = 0;
    while (1L << dimension < mail_ranks)
        dimension++;
    return dimension;
}

void flick(void)
{
    mail_progress();
    mail_idle();
}

double dclock(void)
{
    return MPI_Wtime() - began;
}

unsigned long mclock(void)
{
    return (unsigned long)(dclock() * 1e3);
}

unsigned long nx_cycles(void)
{
    return __builtin_ia32_rdtsc();
}

double nx_cycles_per_second(void)
{
    static double hertz;
    if (hertz == 0) {
        const double start = MPI_Wtime();
        const unsigned long first = nx_cycles();
        while (MPI_Wtime() - start < 0.01)
            ;
        const unsigned long cycles = nx_cycles() - first;
        hertz = (double)cycles / (MPI_Wtime() - start);
    }
    return hertz;
}

void nx_pause(void)
{
    __builtin_ia32_pause();
}

void nx_null_call(void)
{
    mail_progress();
}

long nx_processors(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

const char *nx_design(void)
{
    return "NX/2 over MPI";
}

long nx_capabilities(void)
{
    return 0;
}

long nx_hands_over(void)
{
    return 0;
}

long nx_needs_shared(void)
{
    return 0;
}

void nx_perror(const char *text)
{
    perror(text);
}
