/* SPDX-License-Identifier: MIT */
/* The messages operations, wherever the message system lives: a proxy call or a call into the user-level
 * library. Arguments are already widened from their low 32 bits. Everything is inlined into the NX entry
 * points, so that the price of a csend here is the argument moves, one branch and the call itself. */
#ifndef PARLEY_NX_OPERATIONS_H
#define PARLEY_NX_OPERATIONS_H

#include "kernel/interface/library.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"
#include "userlib/nx/proxy_call.h"
#include "userlib/nx/this_process.h"

#define NX_INLINE static inline __attribute__((always_inline))

enum nx_context { nx_program = 0, nx_library = 1 };

/* As in a sender's word (senders.h); a pid of -1 stands for every pid, where senders are selected. */
NX_INLINE long nx_address(long pid, enum nx_context context)
{
    return (long)parley_address(pid, context);
}

/* A proxy call, with as many zeros behind the arguments as it has places left. */
#define NX_PROXY(method, a, b, c, ...)                                                                     \
    nx_proxy_call(nx_method_messages_##method, nx_process.messages_proxy, (long)(a), (long)(b), (long)(c), \
                  __VA_ARGS__)

/* A call that may wait: interrupted for handlers, it is made again. */
#define NX_UNINTERRUPTED(call)                                          \
    struct parley_reply reply = (call);                                 \
    while (__builtin_expect(reply.value == -nx_error_interrupted, 0)) { \
        nx_attend();                                                    \
        reply = (call);                                                 \
    }                                                                   \
    return reply

/* Whose messages a receive takes, as its two last arguments. */
#define NX_SENDERS(nodesel, address)                                       \
    parley_senders_from((nodesel), (address) >> PARLEY_PID_SHIFT,          \
                        parley_address_context((unsigned long)(address))), \
        parley_senders_mask((nodesel), (address) >> PARLEY_PID_SHIFT)

/* Send and receive by either way. */
NX_INLINE long nx_library_send(long type, const void *buffer, long length, long node, long address)
{
    return nx_process.calls.send(nx_process.calls.self, type, buffer, length, node, (unsigned long)address);
}

/* After an error the second to fifth argument are found in type, block, node and pid. */
NX_INLINE struct parley_reply nx_proxy_send(long type, const void *buffer, long length, long node,
                                            long address)
{
    return NX_PROXY(send, type, buffer, length, node, address);
}

NX_INLINE long nx_send_once(long type, const void *buffer, long length, long node, long address)
{
    if (nx_process.library)
        return nx_library_send(type, buffer, length, node, address);
    return nx_proxy_send(type, buffer, length, node, address).value;
}

NX_INLINE struct parley_reply nx_start_send_once(long type, const void *buffer, long length, long node,
                                                 long address)
{
    if (nx_process.library)
        return nx_process.library->start_send(nx_process.self, type, buffer, length, node,
                                              (unsigned long)address);
    return NX_PROXY(start_send, type, buffer, length, node, address);
}

NX_INLINE struct parley_reply nx_start_send(long type, const void *buffer, long length, long node,
                                            long address)
{
    NX_UNINTERRUPTED(nx_start_send_once(type, buffer, length, node, address));
}

/* What a receive by proxy has found. */
NX_INLINE struct parley_found nx_found(const struct parley_reply *reply)
{
    return (struct parley_found){reply->value, (unsigned long)reply->type};
}

/* A receive's reply: value the length, or minus an error; type, block, node and pid of what it has found. */
NX_INLINE struct parley_reply nx_reply_of(struct parley_found found, long block)
{
    if (__builtin_expect(found.contents < 0, 0))
        return (struct parley_reply){found.contents, -1, 0, 0, 0};
    return (struct parley_reply){parley_found_length(found), parley_found_type(found), block,
                                 parley_found_node(found), parley_found_pid(found)};
}

NX_INLINE struct parley_reply nx_receive_once(long typesel, void *buffer, long maximum, long nodesel,
                                              long address)
{
    if (nx_process.library) {
        const struct parley_call call = {typesel, (long)buffer, maximum, NX_SENDERS(nodesel, address)};
        return nx_reply_of(nx_process.calls.receive(nx_process.calls.self, &call), (long)buffer);
    }
    const struct parley_reply reply =
        NX_PROXY(receive, typesel, buffer, maximum, NX_SENDERS(nodesel, address));
    return nx_reply_of(nx_found(&reply), (long)buffer);
}

NX_INLINE struct parley_reply nx_receive(long typesel, void *buffer, long maximum, long nodesel, long address)
{
    NX_UNINTERRUPTED(nx_receive_once(typesel, buffer, maximum, nodesel, address));
}

NX_INLINE struct parley_reply nx_receive_block_once(long typesel, void *buffer, long maximum, long nodesel,
                                                    long address)
{
    if (nx_process.library) {
        const struct parley_call call = {typesel, (long)buffer, maximum, NX_SENDERS(nodesel, address)};
        const struct parley_found found = nx_process.calls.receive_block(nx_process.calls.self, &call);
        return nx_reply_of(found, (long)nx_process.left->block);
    }
    const struct parley_reply reply =
        NX_PROXY(receive_block, typesel, buffer, maximum, NX_SENDERS(nodesel, address));
    return nx_reply_of(nx_found(&reply), reply.block);
}

NX_INLINE struct parley_reply nx_receive_block(long typesel, void *buffer, long maximum, long nodesel,
                                               long address)
{
    NX_UNINTERRUPTED(nx_receive_block_once(typesel, buffer, maximum, nodesel, address));
}

NX_INLINE struct parley_reply nx_start_receive(long typesel, void *buffer, long maximum, long nodesel,
                                               long address)
{
    if (nx_process.library)
        return nx_process.library->start_receive(nx_process.self, typesel, buffer, maximum,
                                                 NX_SENDERS(nodesel, address));
    return NX_PROXY(start_receive, typesel, buffer, maximum, NX_SENDERS(nodesel, address));
}

NX_INLINE struct parley_reply nx_probe_once(long typesel, long may_wait, long nodesel, long address)
{
    if (nx_process.library)
        return nx_process.library->probe(nx_process.self, typesel, may_wait, NX_SENDERS(nodesel, address));
    return NX_PROXY(probe, typesel, may_wait, 0, NX_SENDERS(nodesel, address));
}

NX_INLINE struct parley_reply nx_probe(long typesel, long may_wait, long nodesel, long address)
{
    NX_UNINTERRUPTED(nx_probe_once(typesel, may_wait, nodesel, address));
}

NX_INLINE struct parley_reply nx_done(long id)
{
    if (nx_process.library)
        return nx_process.library->done(nx_process.self, id);
    return NX_PROXY(done, id, 0, 0, 0, 0);
}

NX_INLINE struct parley_reply nx_wait_once(long id)
{
    if (nx_process.library)
        return nx_process.library->wait(nx_process.self, id);
    return NX_PROXY(wait, id, 0, 0, 0, 0);
}

NX_INLINE struct parley_reply nx_wait(long id)
{
    NX_UNINTERRUPTED(nx_wait_once(id));
}

/* The rest of a send that has neither simply gone nor failed for good: made again, or, once it is a request,
 * waited for. `value` is what the send has answered. 0 or minus an error. */
NX_INLINE long nx_send_further(long value, long type, const void *buffer, long length, long node,
                               long address)
{
    while (value == -nx_error_interrupted) {
        nx_attend();
        value = nx_send_once(type, buffer, length, node, address);
    }
    return value > 0 ? nx_wait(value).value : value;
}

/* 0 or minus an error. */
NX_INLINE long nx_send(long type, const void *buffer, long length, long node, long address)
{
    long value = nx_send_once(type, buffer, length, node, address);
    if (__builtin_expect(value == 0, 1))
        return 0;
    return nx_send_further(value, type, buffer, length, node, address);
}

NX_INLINE struct parley_reply nx_cancel(long id)
{
    if (nx_process.library)
        return nx_process.library->cancel(nx_process.self, id);
    return NX_PROXY(cancel, id, 0, 0, 0, 0);
}

NX_INLINE struct parley_reply nx_watch(long id)
{
    if (nx_process.library)
        return nx_process.library->watch(nx_process.self, id);
    return NX_PROXY(watch, id, 0, 0, 0, 0);
}

NX_INLINE struct parley_reply nx_allocate(long bytes, long alignment)
{
    if (nx_process.library)
        return nx_process.library->allocate(nx_process.self, bytes, alignment);
    return NX_PROXY(allocate, bytes, alignment, 0, 0, 0);
}

NX_INLINE struct parley_reply nx_release(void *block)
{
    if (nx_process.library)
        return nx_process.library->release(nx_process.self, block);
    return NX_PROXY(release, block, 0, 0, 0, 0);
}

/* Joins the user-level message system; ends the program when that is impossible. */
void nx_join(const struct parley_start *start);

#endif
