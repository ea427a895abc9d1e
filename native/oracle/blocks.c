/* SPDX-License-Identifier: MIT */
/* nx_alloc: memory that all ranks see at one address, as programs expect that hand pointers on (the ring's
 * bare ping-pong). MPI's shared windows lie wherever each rank happens to have room, so a file without a
 * name is mapped instead; no message goes through it. Each rank allocates from its own part. */
#define _GNU_SOURCE
#include "native/oracle/blocks.h"
#include "native/oracle/mail.h"

#include <fcntl.h>
#include <mpi.h>
#include <nx.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { smallest_shift = 7, largest_shift = 24, part_bytes = 1 << largest_shift };

static char *const everywhere = (char *)0x200000000000;

/* In front of a block; free ones of one size are a list. */
struct head {
    struct head *next;
    void *raw; /* where the piece begins in which the block was aligned */
    int shift; /* the piece has so many bytes, as a power of two */
};

static struct head *free_of[largest_shift + 1];
static char *rest, *end;

void blocks_begin(void)
{
    const size_t bytes = (size_t)part_bytes * (size_t)mail_ranks;
    int place[] = {getpid(), mail_rank == 0 ? memfd_create("oracle", MFD_CLOEXEC) : -1}, file = place[1];
    if (mail_rank == 0 && (file < 0 || ftruncate(file, (off_t)bytes) != 0))
        mail_fail("there is no memory of %zu bytes for nx_alloc", bytes);
    MPI_Bcast(place, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (mail_rank != 0) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", place[0], place[1]);
        file = open(path, O_RDWR | O_CLOEXEC);
    }
    void *mapped = mmap(everywhere, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    if (mapped != everywhere)
        mail_fail("the memory of nx_alloc cannot be mapped; all ranks must be on one machine");
    MPI_Barrier(MPI_COMM_WORLD); /* all have opened it */
    close(file);
    rest = everywhere + (size_t)part_bytes * (size_t)mail_rank;
    end = rest + part_bytes;
}

static void *piece(int shift)
{
    struct head *found = free_of[shift];
    if (found) {
        free_of[shift] = found->next;
        return found->raw;
    }
    if (end - rest < 1L << shift)
        return 0;
    char *raw = rest;
    rest += 1L << shift;
    return raw;
}

void *nx_alloc_aligned(long bytes, long alignment)
{
    const long aligned = alignment < 64 ? 64 : alignment, whole = bytes + aligned + 64;
    int shift = smallest_shift;
    if (bytes <= 0 || bytes > part_bytes || alignment > part_bytes)
        return 0;
    while (1L << shift < whole)
        shift++;
    void *raw = shift <= largest_shift ? piece(shift) : 0;
    if (!raw)
        return 0;
    char *block =
        (char *)(((uintptr_t)raw + 64 + (uintptr_t)aligned - 1) / (uintptr_t)aligned * (uintptr_t)aligned);
    *((struct head *)block - 1) = (struct head){.raw = raw, .shift = shift};
    return block;
}

void *nx_alloc(long bytes)
{
    return nx_alloc_aligned(bytes, 64);
}

void nx_free(void *block)
{
    if (!block)
        return;
    struct head *head = (struct head *)block - 1;
    head->next = free_of[head->shift];
    free_of[head->shift] = head;
}
