/* SPDX-License-Identifier: MIT */
#include "userlib/nx/operations.h"

#include <nx_raw.h>

static struct nx_raw_reply raw(struct parley_reply reply)
{
    return (struct nx_raw_reply){reply.value, reply.type, reply.block, reply.node, reply.pid};
}

struct nx_raw_reply nx_raw_send(long type, const void *buffer, long length, long node, long address)
{
    return raw((struct parley_reply){.value = nx_send(type, buffer, length, node, address), .type = -1});
}

struct nx_raw_reply nx_raw_start_send(long type, const void *buffer, long length, long node, long address)
{
    return raw(nx_start_send(type, buffer, length, node, address));
}

struct nx_raw_reply nx_raw_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    return raw(nx_receive(typesel, buffer, maximum, nodesel, address));
}

struct nx_raw_reply nx_raw_receive_block(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    return raw(nx_receive_block(typesel, buffer, maximum, nodesel, address));
}

struct nx_raw_reply nx_raw_start_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    return raw(nx_start_receive(typesel, buffer, maximum, nodesel, address));
}

struct nx_raw_reply nx_raw_done(long id)
{
    return raw(nx_done(id));
}

struct nx_raw_reply nx_raw_wait(long id)
{
    return raw(nx_wait(id));
}

struct nx_raw_reply nx_raw_cancel(long id)
{
    return raw(nx_cancel(id));
}

struct nx_raw_reply nx_raw_probe(long typesel, long may_wait, long nodesel, long address)
{
    return raw(nx_probe(typesel, may_wait, nodesel, address));
}

struct nx_raw_reply nx_raw_allocate(long bytes, long alignment)
{
    return raw(nx_allocate(bytes, alignment));
}

struct nx_raw_reply nx_raw_release(void *block)
{
    return raw(nx_release(block));
}
