/* SPDX-License-Identifier: MIT */
#include "userlib/collective/carrier.h"

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
    return (void *)must(call, nx_allocate(bytes, block_alignment).value);
}

static int needs_blocks(long bytes)
{
    return bytes > 0 && (nx_process.hands_over || nx_process.needs_shared);
}

/* Buffers that are only lent are ours again after the wait. */
static void lend(const char *call, long node, const void *data, long bytes)
{
    long id = must(call, nx_start_send(type_collective, data, bytes, node, here()).value);
    must(call, nx_wait(id).value);
}

/* A block that was handed over is the receiver's. */
static void carry_block(const char *call, long node, const void *data, long bytes)
{
    void *block = need_block(call, bytes);
    memcpy(block, data, (size_t)bytes);
    if (nx_process.hands_over) {
        must(call, nx_send(type_collective, block, bytes, node, here()));
        return;
    }
    lend(call, node, block, bytes);
    must(call, nx_release(block).value);
}

void nx_carry(const char *call, long node, const void *data, long bytes)
{
    if (needs_blocks(bytes))
        carry_block(call, node, data, bytes);
    else if (nx_process.lends)
        lend(call, node, data, bytes);
    else
        must(call, nx_send(type_collective, data, bytes, node, here()));
}

static long fetch_block(const char *call, long node, void *data, long maximum)
{
    void *given = nx_process.hands_over ? 0 : need_block(call, maximum);
    struct parley_reply reply = nx_receive_block(type_collective, given, maximum, node, here());
    long length = must(call, reply.value);
    void *block = (void *)reply.block;
    if (length > 0)
        memcpy(data, block, (size_t)length);
    if (block)
        must(call, nx_release(block).value);
    return length;
}

long nx_fetch(const char *call, long node, void *data, long maximum)
{
    if (needs_blocks(maximum) || nx_process.hands_over)
        return fetch_block(call, node, data, maximum);
    return must(call, nx_receive(type_collective, data, maximum, node, here()).value);
}

long nx_fetch_length(const char *call, long node)
{
    struct parley_reply reply = nx_probe(type_collective, 1, node, here());
    must(call, reply.value);
    return reply.block;
}
