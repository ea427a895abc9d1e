/* SPDX-License-Identifier: MIT */
#include "userlib/nx/operations.h"

#include <nx_raw.h>

static struct nx_raw_reply of_value(long value)
{
    return (struct nx_raw_reply){.value = value, .type = -1};
}

/* The value is the message's length. */
static struct nx_raw_reply of_found(struct parley_receive_status found, const void *block)
{
    if (found.contents < 0)
        return of_value(found.contents);
    return (struct nx_raw_reply){parley_receive_status_length(found), parley_receive_status_type(found),
                                 (long)block, parley_receive_status_node(found),
                                 parley_receive_status_pid(found)};
}

/* The value is yes or no, and the length stands as the block. */
static struct nx_raw_reply of_question(struct parley_receive_status found)
{
    struct nx_raw_reply reply = of_found(found, 0);
    if (found.contents >= 0)
        reply.block = reply.value;
    reply.value = nx_yes_or_no(found);
    return reply;
}

struct nx_raw_reply nx_raw_send(long type, const void *buffer, long length, long node, long address)
{
    return of_value(nx_send(type, buffer, length, node, address));
}

struct nx_raw_reply nx_raw_start_send(long type, const void *buffer, long length, long node, long address)
{
    return of_value(nx_start_send(type, buffer, length, node, address));
}

struct nx_raw_reply nx_raw_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    return of_found(nx_receive(typesel, buffer, maximum, nodesel, address), buffer);
}

struct nx_raw_reply nx_raw_receive_block(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    const struct parley_receive_status found = nx_receive_block(typesel, &buffer, maximum, nodesel, address);
    return of_found(found, buffer);
}

struct nx_raw_reply nx_raw_start_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    return of_value(nx_start_receive(typesel, buffer, maximum, nodesel, address));
}

struct nx_raw_reply nx_raw_done(long id)
{
    return of_question(NX_CALL(done, id));
}

struct nx_raw_reply nx_raw_wait(long id)
{
    return of_found(nx_wait(id), 0);
}

struct nx_raw_reply nx_raw_cancel(long id)
{
    return of_value(NX_CALL(cancel, id));
}

struct nx_raw_reply nx_raw_probe(long typesel, long may_wait, long nodesel, long address)
{
    return of_question(
        nx_probe(typesel, may_wait ? parley_probe_waits : parley_probe_looks, nodesel, address));
}

struct nx_raw_reply nx_raw_allocate(long bytes, long alignment)
{
    return of_value(NX_CALL(allocate, bytes, alignment));
}

struct nx_raw_reply nx_raw_release(void *block)
{
    return of_value(NX_CALL(release, (unsigned long)block));
}
