/* SPDX-License-Identifier: MIT */
/* Blocks of the shared region, and the receive that can hand one over. */
#include "userlib/nx/blocks.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"
#include "userlib/nx/short_ways.h"

#include <nx.h>

enum { cache_line = 64 };

void *nx_alloc_aligned(long bytes, long alignment)
{
    long value = NX_CALL(allocate, bytes, alignment);
    if (value > 0)
        return (void *)value;
    nx_set_errno(-value);
    return 0;
}

void *nx_alloc(long bytes)
{
    return nx_alloc_aligned(bytes, cache_line);
}

static void refuse_free(long value)
{
    nx_fail("nx_free", -value);
}

/* A block that was sent away is its receiver's: freeing it again means nothing. */
static void accept_free(long value)
{
    (void)value;
}

static long allocate_room(void **room, long bytes, long alignment)
{
    if (bytes <= 0)
        return 0;
    long value = NX_CALL(allocate, bytes, alignment);
    if (value > 0)
        *room = (void *)value;
    return value < 0 ? value : 0;
}

/* The sender's block comes. */
static long expect_block(void **room, long bytes, long alignment)
{
    (void)room, (void)bytes, (void)alignment;
    return 0;
}

/* What a program finds of its blocks, by what its design passes. */
static const struct {
    long (*make_room)(void **room, long bytes, long alignment);
    void (*cannot_free)(long value);
} by_passing[] = {
    [nx_passes_copies] = {allocate_room, refuse_free},
    [nx_passes_loans] = {allocate_room, refuse_free},
    [nx_passes_shared_buffers] = {allocate_room, refuse_free},
    [nx_passes_blocks] = {expect_block, accept_free},
};

void nx_free(void *block)
{
    if (!block)
        return;
    long value = NX_CALL(release, (unsigned long)block);
    if (value < 0)
        by_passing[nx_process.passing].cannot_free(value);
}

long nx_make_room(void **room, long bytes, long alignment)
{
    return by_passing[nx_process.passing].make_room(room, bytes, alignment);
}

/* A null buffer is filled in once where messages are copied into it, so that one source serves every design.
 * A length that cannot be is left to the receive, which refuses it. */
static long give_buffer(void **buffer, long maximum)
{
    return *buffer || !nx_is_length(maximum) ? 0 : nx_make_room(buffer, maximum, cache_line);
}

NX_INLINE long receive_block(long typesel, void **buffer, long maximum)
{
    long given = give_buffer(buffer, maximum);
    if (__builtin_expect(given < 0, 0))
        return given;
    const struct parley_receive_status found =
        nx_receive_block((int)typesel, buffer, maximum, nx_any, nx_address(nx_any, nx_program));
    if (__builtin_expect(found.contents < 0, 0))
        return found.contents;
    nx_note_found(msginfo, found);
    return parley_receive_status_length(found);
}

/* What crecvp does without a buffer, or when a handler was due, or in the end. */
static __attribute__((noinline)) void receive_block_anyhow(long value, long typesel, void **buffer,
                                                           long maximum)
{
    if (value == -nx_error_interrupted)
        nx_attend_in_call();
    if (value >= 0 || value == -nx_error_interrupted)
        value = receive_block(typesel, buffer, maximum);
    if (value < 0)
        nx_fail_receive("crecvp", typesel, maximum, nx_any, nx_any, -value);
}

void nx_crecvp_by_proxy(long typesel, void **buffer, long maximum)
{
    if (__builtin_expect(!*buffer, 0)) {
        receive_block_anyhow(0, typesel, buffer, maximum);
        return;
    }
    const struct nx_registers left = nx_proxy_call(
        parley_method_messages_receive_block, nx_process.messages_proxy,
        NX_PROXY_WORDS((int)typesel, *buffer, maximum, NX_SENDERS(nx_any, nx_address(nx_any, nx_program))));
    if (__builtin_expect(left.value < 0, 0)) {
        receive_block_anyhow(left.value, typesel, buffer, left.r10);
        return;
    }
    *buffer = (void *)left.r10;
    nx_note_found(msginfo, (struct parley_receive_status){left.value, (unsigned long)left.rdx});
}

/* A function of its own, so that little is saved on the way. */
static __attribute__((noinline)) void receive_block_by_library(long typesel, void **buffer, long maximum)
{
    const struct parley_receive call = {(int)typesel, (unsigned long)*buffer, maximum,
                                        NX_SENDERS(nx_any, nx_address(nx_any, nx_program))};
    const struct parley_receive_status found = NX_CALL(receive_block, &call);
    if (__builtin_expect(found.contents < 0, 0)) {
        receive_block_anyhow(found.contents, call.typesel, buffer, call.maximum);
        return;
    }
    *buffer = (void *)nx_process.calls.left->block;
    nx_note_found(msginfo, found);
}

void nx_crecvp_by_library(long typesel, void **buffer, long maximum)
{
    if (__builtin_expect(!*buffer, 0))
        receive_block_anyhow(0, typesel, buffer, maximum);
    else
        receive_block_by_library(typesel, buffer, maximum);
}

void crecvp(long typesel, void **buffer, long maximum)
{
    nx_process.short_ways.crecvp(typesel, buffer, maximum);
}

long _crecvp(long typesel, void **buffer, long maximum)
{
    long value = receive_block(typesel, buffer, maximum);
    return value < 0 ? nx_set_errno(-value) : value;
}
