/* SPDX-License-Identifier: MIT */
/* What people wrote who wanted a hypercube's programs on a workstation: a Linux process a node, a UNIX
 * socket between each two, nothing shared, and processes scheduled one by one. It stands for the simulator
 * of the paper's figure 7. The program starts its own ranks: measure-socket -n RANKS TEST... */
#define _GNU_SOURCE
#include "native/compare/own_ranks.h"
#include "native/compare/wire.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { shared_bytes = 1 << 16, type_message = 7, type_together = 8 };

/* In front of every message; the receiver has said what it expects, and checks it. */
struct header {
    uint32_t type, bytes;
};

static int rank, ranks, ends[most_own_ranks];

static void begin_rank(int number, int sockets[most_own_ranks][most_own_ranks])
{
    rank = number;
    for (int other = 0; other < ranks; other++)
        ends[other] = sockets[rank][other];
    for (int from = 0; from < ranks; from++)
        for (int to = 0; from != rank && to < ranks; to++)
            if (from != to)
                close(sockets[from][to]);
}

static void make_sockets(int sockets[most_own_ranks][most_own_ranks])
{
    for (int from = 0; from < ranks; from++)
        for (int to = 0; to < from; to++) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
                own_rank_fails("socketpair");
            sockets[from][to] = pair[0];
            sockets[to][from] = pair[1];
        }
}

void wire_begin(int *count, char ***words)
{
    static int sockets[most_own_ranks][most_own_ranks];
    ranks = own_ranks(count, words, shared_bytes);
    make_sockets(sockets);
    begin_rank(own_ranks_start(), sockets);
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
        own_rank_fails("a buffer");
    return memset(buffer, 1, whole);
}

/* All of both parts, in as few calls as Linux takes. */
static void pass(ssize_t (*call)(int, const struct iovec *, int), int end, struct iovec parts[2])
{
    struct iovec *part = parts;
    for (int left = 2; left > 0;) {
        const ssize_t done = call(end, part, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            own_rank_fails("the other end of a socket");
        size_t passed = (size_t)done;
        while (left > 0 && passed >= part->iov_len) {
            passed -= part->iov_len;
            part++, left--;
        }
        if (left > 0) {
            part->iov_base = (char *)part->iov_base + passed;
            part->iov_len -= passed;
        }
    }
}

static void send_as(uint32_t type, const void *bytes, size_t length, int to)
{
    struct header header = {type, (uint32_t)length};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)bytes, length}};
    pass(writev, ends[to], parts);
}

static void receive_as(uint32_t type, void *bytes, size_t length, int from)
{
    struct header header;
    struct iovec parts[] = {{&header, sizeof header}, {bytes, length}};
    pass(readv, ends[from], parts);
    if (header.type != type || header.bytes != length) {
        errno = EPROTO;
        own_rank_fails("another message than expected");
    }
}

void wire_send(void **buffer, size_t bytes, int to)
{
    send_as(type_message, *buffer, bytes, to);
}

void wire_receive(void **buffer, size_t bytes, int from)
{
    receive_as(type_message, *buffer, bytes, from);
}

/* Up a binomial tree to rank 0, adding, and down again. */
static void up(double *values, size_t count)
{
    double others[64];
    for (int distance = 1; distance < ranks; distance *= 2) {
        if (rank & distance) {
            send_as(type_together, values, count * sizeof *values, rank - distance);
            return;
        }
        if (rank + distance < ranks) {
            receive_as(type_together, others, count * sizeof *values, rank + distance);
            for (size_t i = 0; i < count; i++)
                values[i] += others[i];
        }
    }
}

static void down(void *bytes, size_t length, int root)
{
    const int place = (rank - root + ranks) % ranks;
    int distance = 1;
    while (distance < ranks && !(place & distance))
        distance *= 2;
    if (place != 0)
        receive_as(type_together, bytes, length, (rank - distance + ranks) % ranks);
    for (distance /= 2; distance > 0; distance /= 2)
        if (place + distance < ranks)
            send_as(type_together, bytes, length, (rank + distance) % ranks);
}

void wire_barrier(void)
{
    up(0, 0);
    down(0, 0, 0);
}

void wire_broadcast(void *buffer, size_t bytes, int root)
{
    down(buffer, bytes, root);
}

void wire_sum(double *values, int count)
{
    up(values, (size_t)count);
    down(values, (size_t)count * sizeof *values, 0);
}
