/* SPDX-License-Identifier: MIT */
/* The message calls as libnx makes them, through the table that was bound when the process joined: with
 * handlers let in, and with whose messages are meant. Arguments are already widened from their low 32 bits.
 * Everything is inlined into the NX entry points. */
#ifndef PARLEY_NX_OPERATIONS_H
#define PARLEY_NX_OPERATIONS_H

#include "interface/library_messages.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"
#include "userlib/nx/ignored.h"
#include "userlib/nx/this_process.h"

#define NX_INLINE static inline __attribute__((always_inline))

enum nx_context {
    nx_program = PARLEY_CONTEXT_PROGRAM,
    nx_library = PARLEY_CONTEXT_LIBRARY,
    nx_active = PARLEY_CONTEXT_ACTIVE
};

/* As in a sender's word (senders.h); a pid of -1 stands for every pid, where senders are selected. */
NX_INLINE long nx_address(long pid, enum nx_context context)
{
    return (long)parley_address(pid, context);
}

/* Whose messages a receive takes, as its two last arguments. */
#define NX_SENDERS(nodesel, address)                                       \
    parley_senders_from((nodesel), (address) >> PARLEY_PID_SHIFT,          \
                        parley_address_context((unsigned long)(address))), \
        parley_senders_mask((nodesel), (address) >> PARLEY_PID_SHIFT)

/* Makes a call of interface/calls.def. */
#define NX_CALL(name, ...) (nx_process.calls.name(nx_process.calls.self, __VA_ARGS__))

/* A call that may wait: interrupted for handlers, it is made again. `value` is the word of the answer in
 * which an error is. */
#define NX_UNINTERRUPTED(answer, value, call)                       \
    answer = (call);                                                \
    while (__builtin_expect((value) == -nx_error_interrupted, 0)) { \
        nx_attend_in_call();                                        \
        answer = (call);                                            \
    }

/* A call that may want an id. */
#define NX_WITH_AN_ID(value, call)                                        \
    value = (call);                                                       \
    while (__builtin_expect(value < 0, 0) && nx_may_be_made_again(value)) \
        value = (call);

/* The result of a call that asks whether something is there: 1, 0 or minus an error. */
NX_INLINE long nx_yes_or_no(struct parley_receive_status found)
{
    if (found.contents == -nx_error_would_block)
        return 0;
    return found.contents < 0 ? found.contents : 1;
}

/* The result of a receive: the message's length, or minus an error. */
NX_INLINE long nx_length_or_error(struct parley_receive_status found)
{
    return found.contents < 0 ? found.contents : parley_receive_status_length(found);
}

NX_INLINE struct parley_receive_status nx_wait(long id)
{
    struct parley_receive_status found;
    NX_UNINTERRUPTED(found, found.contents, NX_CALL(wait, id));
    return found;
}

/* The rest of a send that has neither simply gone nor failed for good: made again, or, once it is a request,
 * waited for. `value` is what the send has answered. 0 or minus an error. */
NX_INLINE long nx_send_further(long value, long type, const void *buffer, long length, long node,
                               long address)
{
    while (value < 0 && nx_may_be_made_again(value))
        value = NX_CALL(send, type, (unsigned long)buffer, length, node, (unsigned long)address);
    return value > 0 ? nx_length_or_error(nx_wait(value)) : value;
}

/* 0 or minus an error. */
NX_INLINE long nx_send(long type, const void *buffer, long length, long node, long address)
{
    long value = NX_CALL(send, type, (unsigned long)buffer, length, node, (unsigned long)address);
    if (__builtin_expect(value == 0, 1))
        return 0;
    return nx_send_further(value, type, buffer, length, node, address);
}

/* An id, or minus an error. */
NX_INLINE long nx_start_send(long type, const void *buffer, long length, long node, long address)
{
    long id;
    NX_WITH_AN_ID(id, NX_CALL(start_send, type, (unsigned long)buffer, length, node, (unsigned long)address));
    return id;
}

/* Starts the send of a program's isend or hsend. Of the type and the node that the program gives, only the
 * low 32 bits count. */
NX_INLINE long nx_begin_send(long type, const void *buffer, long length, long node, long pid)
{
    return nx_start_send((int)type, buffer, length, (int)node, nx_address(pid, nx_program));
}

NX_INLINE struct parley_receive_status nx_receive(long typesel, void *buffer, long maximum, long nodesel,
                                                  long address)
{
    const struct parley_receive call = {typesel, (unsigned long)buffer, maximum,
                                        NX_SENDERS(nodesel, address)};
    struct parley_receive_status found;
    NX_UNINTERRUPTED(found, found.contents, NX_CALL(receive, &call));
    return found;
}

/* The bytes go to *block, or come in a block of their own, whose address is there then. */
NX_INLINE struct parley_receive_status nx_receive_block(long typesel, void **block, long maximum,
                                                        long nodesel, long address)
{
    const struct parley_receive call = {typesel, (unsigned long)*block, maximum,
                                        NX_SENDERS(nodesel, address)};
    struct parley_receive_status found;
    NX_UNINTERRUPTED(found, found.contents, NX_CALL(receive_block, &call));
    if (__builtin_expect(found.contents >= 0, 1))
        *block = (void *)nx_process.calls.left->block;
    return found;
}

/* An id, or minus an error. */
NX_INLINE long nx_start_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    long id;
    NX_WITH_AN_ID(
        id, NX_CALL(start_receive, typesel, (unsigned long)buffer, maximum, NX_SENDERS(nodesel, address)));
    return id;
}

NX_INLINE struct parley_receive_status nx_probe(long typesel, enum parley_probe how, long nodesel,
                                                long address)
{
    struct parley_receive_status found;
    NX_UNINTERRUPTED(found, found.contents, NX_CALL(probe, typesel, how, NX_SENDERS(nodesel, address)));
    return found;
}

#endif
