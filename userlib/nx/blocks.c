/* SPDX-License-Identifier: MIT */
/* Blocks of the shared region, and the receive that can hand one over. */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

enum { cache_line = 64 };

void *nx_alloc_aligned(long bytes, long alignment)
{
    struct parley_reply reply = nx_allocate(bytes, alignment);
    if (reply.value > 0)
        return (void *)reply.value;
    nx_set_errno(-reply.value);
    return 0;
}

void *nx_alloc(long bytes)
{
    return nx_alloc_aligned(bytes, cache_line);
}

/* A block that was sent away is its receiver's; to free it is a mistake only where the message did not take
 * it. */
void nx_free(void *block)
{
    if (!block)
        return;
    long value = nx_release(block).value;
    if (value < 0 && !nx_process.hands_over)
        nx_fail("nx_free", -value);
}

/* A null buffer is filled in once where messages are copied into it, so that one source serves every design.
 * */
static long give_buffer(void **buffer, long maximum)
{
    if (*buffer || nx_process.hands_over || maximum <= 0)
        return 0;
    struct parley_reply reply = nx_allocate(maximum, cache_line);
    if (reply.value > 0)
        *buffer = (void *)reply.value;
    return reply.value < 0 ? reply.value : 0;
}

NX_INLINE long receive_block(long typesel, void **buffer, long maximum)
{
    long given = give_buffer(buffer, (int)maximum);
    if (__builtin_expect(given < 0, 0))
        return given;
    struct parley_reply reply =
        nx_receive_block((int)typesel, *buffer, (int)maximum, nx_any, nx_address(nx_any, nx_program));
    if (__builtin_expect(reply.value < 0, 0))
        return reply.value;
    *buffer = (void *)reply.block;
    nx_note_arrival(msginfo, &reply, reply.value);
    return reply.value;
}

/* What crecvp does without a buffer, or when a handler was due, or in the end. */
static __attribute__((noinline)) void receive_block_anyhow(long value, long typesel, void **buffer,
                                                           long maximum)
{
    if (value == -nx_error_interrupted)
        nx_attend();
    if (value >= 0 || value == -nx_error_interrupted)
        value = receive_block(typesel, buffer, maximum);
    if (value < 0)
        nx_fail_receive("crecvp", typesel, maximum, -value);
}

/* Functions of their own, so that little is saved on the way. */
static __attribute__((noinline)) void receive_block_by_library(long typesel, void **buffer, long maximum)
{
    const struct parley_call call = {(int)typesel, (long)*buffer, (int)maximum,
                                     NX_SENDERS(nx_any, nx_address(nx_any, nx_program))};
    const struct parley_found found = nx_process.calls.receive_block(nx_process.calls.self, &call);
    if (__builtin_expect(found.contents < 0, 0)) {
        receive_block_anyhow(found.contents, call.first, buffer, call.third);
        return;
    }
    *buffer = nx_process.left->block;
    nx_note_found(msginfo, found);
}

NX_INLINE void receive_block_by_proxy(long typesel, void **buffer, long maximum)
{
    const struct parley_reply reply = NX_PROXY(receive_block, typesel, *buffer, maximum,
                                               NX_SENDERS(nx_any, nx_address(nx_any, nx_program)));
    if (__builtin_expect(reply.value < 0, 0)) {
        receive_block_anyhow(reply.value, typesel, buffer, reply.block);
        return;
    }
    *buffer = (void *)reply.block;
    nx_note_found(msginfo, nx_found(&reply));
}

void crecvp(long typesel, void **buffer, long maximum)
{
    if (__builtin_expect(!*buffer, 0))
        receive_block_anyhow(0, typesel, buffer, maximum);
    else if (nx_process.library)
        receive_block_by_library(typesel, buffer, maximum);
    else
        receive_block_by_proxy((int)typesel, buffer, (int)maximum);
}

long _crecvp(long typesel, void **buffer, long maximum)
{
    long value = receive_block(typesel, buffer, maximum);
    return value < 0 ? nx_set_errno(-value) : value;
}
