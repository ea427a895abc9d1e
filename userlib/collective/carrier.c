/* SPDX-License-Identifier: MIT */
#include "userlib/collective/carrier.h"

#include "userlib/nx/blocks.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>
#include <string.h>

/* Messages of one sender stay in order and every node makes the same collective calls, so one type is enough.
 * */
enum { type_collective = 0, block_alignment = 64 };

static long here(void)
{
    return nx_address(nx_process.pid, nx_library);
}

static long must(const char *call, long value)
{
    if (value < 0)
        nx_fail(call, -value);
    return value;
}

static void *need_block(const char *call, long bytes)
{
    return (void *)must(call, NX_CALL(allocate, bytes, block_alignment));
}

static void send(const char *call, long node, const void *data, long bytes)
{
    must(call, nx_send(type_collective, data, bytes, node, here()));
}

/* Buffers that are only lent are ours again after the wait. */
static void lend(const char *call, long node, const void *data, long bytes)
{
    long id = must(call, nx_start_send(type_collective, data, bytes, node, here()));
    must(call, nx_wait(id).contents);
}

static void *filled_block(const char *call, const void *data, long bytes)
{
    void *block = need_block(call, bytes);
    memcpy(block, data, (size_t)bytes);
    return block;
}

static void lend_block(const char *call, long node, const void *data, long bytes)
{
    void *block = bytes > 0 ? filled_block(call, data, bytes) : 0;
    lend(call, node, block, bytes);
    if (block)
        must(call, NX_CALL(release, (unsigned long)block));
}

/* It is the receiver's then. */
static void give_block(const char *call, long node, const void *data, long bytes)
{
    send(call, node, bytes > 0 ? filled_block(call, data, bytes) : 0, bytes);
}

static long receive(const char *call, long node, void *data, long maximum)
{
    return must(call, nx_length_or_error(nx_receive(type_collective, data, maximum, node, here())));
}

static long receive_block(const char *call, long node, void *data, long maximum)
{
    void *block = 0;
    must(call, nx_make_room(&block, maximum, block_alignment));
    long length =
        must(call, nx_length_or_error(nx_receive_block(type_collective, &block, maximum, node, here())));
    if (length > 0)
        memcpy(data, block, (size_t)length);
    if (block)
        must(call, NX_CALL(release, (unsigned long)block));
    return length;
}

static const struct {
    void (*carry)(const char *call, long node, const void *data, long bytes);
    long (*fetch)(const char *call, long node, void *data, long maximum);
} ways[] = {
    [nx_passes_copies] = {send, receive},
    [nx_passes_loans] = {lend, receive},
    [nx_passes_shared_buffers] = {lend_block, receive_block},
    [nx_passes_blocks] = {give_block, receive_block},
};

void nx_carry(const char *call, long node, const void *data, long bytes)
{
    ways[nx_process.passing].carry(call, node, data, bytes);
}

long nx_fetch(const char *call, long node, void *data, long maximum)
{
    return ways[nx_process.passing].fetch(call, node, data, maximum);
}

long nx_fetch_length(const char *call, long node)
{
    return must(call, nx_length_or_error(nx_probe(type_collective, 1, node, here())));
}
