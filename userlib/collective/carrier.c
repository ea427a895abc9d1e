/* SPDX-License-Identifier: MIT */
#include "userlib/collective/carrier.h"

#include "userlib/nx/blocks.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>
#include <string.h>

/* Messages of one sender stay in order and every node makes the same collective calls, so a type for each
 * call is enough. */
enum { block_alignment = 64 };

const char *nx_library_call_name(enum parley_library_call call)
{
    static const char *const names[] = {
#define PARLEY_LIBRARY_CALL(name) #name,
#include "interface/library_calls.def"
    };
    return names[call];
}

static long here(void)
{
    return nx_address(nx_process.pid, nx_library);
}

static long must(enum parley_library_call call, long value)
{
    if (value < 0)
        nx_fail(nx_library_call_name(call), -value);
    return value;
}

static long must_send(enum parley_library_call call, long value, long bytes)
{
    if (value < 0)
        nx_end_call(nx_library_call_name(call), nx_sentence(-value), "%ld bytes", bytes);
    return value;
}

/* `bytes`: what this node brings. */
static long must_fetch(enum parley_library_call call, long value, long bytes)
{
    if (value == -nx_error_message_too_long)
        nx_end_call(nx_library_call_name(call), "another node brings more bytes" NX_AS_MANY, "%ld bytes",
                    bytes);
    return must(call, value);
}

static void *need_block(enum parley_library_call call, long bytes)
{
    return (void *)must_send(call, NX_CALL(allocate, bytes, block_alignment), bytes);
}

static void send(enum parley_library_call call, long node, const void *data, long bytes)
{
    must_send(call, nx_send(call, data, bytes, node, here()), bytes);
}

/* Buffers that are only lent are ours again after the wait. */
static void lend(enum parley_library_call call, long node, const void *data, long bytes)
{
    long id = must_send(call, nx_start_send(call, data, bytes, node, here()), bytes);
    must(call, nx_wait(id).contents);
}

static void *filled_block(enum parley_library_call call, const void *data, long bytes)
{
    void *block = need_block(call, bytes);
    memcpy(block, data, (size_t)bytes);
    return block;
}

static void lend_block(enum parley_library_call call, long node, const void *data, long bytes)
{
    void *block = bytes > 0 ? filled_block(call, data, bytes) : 0;
    lend(call, node, block, bytes);
    if (block)
        must(call, NX_CALL(release, (unsigned long)block));
}

/* It is the receiver's then. */
static void give_block(enum parley_library_call call, long node, const void *data, long bytes)
{
    send(call, node, bytes > 0 ? filled_block(call, data, bytes) : 0, bytes);
}

static long receive(enum parley_library_call call, long node, void *data, long maximum)
{
    return must_fetch(call, nx_length_or_error(nx_receive(call, data, maximum, node, here())), maximum);
}

static long receive_block(enum parley_library_call call, long node, void *data, long maximum)
{
    void *block = 0;
    must(call, nx_make_room(&block, maximum, block_alignment));
    long length =
        must_fetch(call, nx_length_or_error(nx_receive_block(call, &block, maximum, node, here())), maximum);
    if (length > 0)
        memcpy(data, block, (size_t)length);
    if (block)
        must(call, NX_CALL(release, (unsigned long)block));
    return length;
}

static const struct {
    void (*carry)(enum parley_library_call call, long node, const void *data, long bytes);
    long (*fetch)(enum parley_library_call call, long node, void *data, long maximum);
} ways[] = {
    [nx_passes_copies] = {send, receive},
    [nx_passes_loans] = {lend, receive},
    [nx_passes_shared_buffers] = {lend_block, receive_block},
    [nx_passes_blocks] = {give_block, receive_block},
};

void nx_carry(enum parley_library_call call, long node, const void *data, long bytes)
{
    ways[nx_process.passing].carry(call, node, data, bytes);
}

long nx_fetch(enum parley_library_call call, long node, void *data, long maximum)
{
    return ways[nx_process.passing].fetch(call, node, data, maximum);
}

/* A process comes to one meeting at a time: what it brings to another one would take the place of what the
 * others may not have read. */
static void begin_meeting(enum parley_library_call call)
{
    if (nx_process.meets)
        nx_end_call(nx_library_call_name(call),
                    "a handler cannot make this call while the program waits in another one for all nodes: "
                    "let it set a variable and return",
                    "during %s", nx_process.meets);
    nx_process.meets = nx_library_call_name(call);
}

long nx_meet_with(enum parley_library_call call, const void *part, long bytes, void *all, long room)
{
    const unsigned long address = (unsigned long)here();
    begin_meeting(call);
    must(call, NX_CALL(meet, call, (unsigned long)part, bytes, address));
    long value;
    NX_UNINTERRUPTED(value, value, NX_CALL(met, call, (unsigned long)all, room, address));
    nx_process.meets = 0;
    return value == -nx_error_message_too_long ? -1 : must(call, value);
}

long nx_fetch_length(enum parley_library_call call, long node)
{
    return must(call, nx_length_or_error(nx_probe(call, parley_probe_waits, node, here())));
}
