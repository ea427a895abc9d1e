/* SPDX-License-Identifier: MIT */
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

/* What csend does when its message has not simply gone: the rest after a handler was due, or the end. */
static __attribute__((noinline)) void send_further(long value, long type, const void *buffer, long length,
                                                   long node, long address)
{
    value = nx_send_further(value, type, buffer, length, node, address);
    if (value < 0)
        nx_fail_send("csend", type, length, node, address >> 32, -value);
}

/* A function of its own, so that the proxy call needs no frame on the stack. */
static __attribute__((noinline)) void send_by_library(long type, const void *buffer, long length, long node,
                                                      long pid)
{
    const struct parley_call call = {(int)type, (long)buffer, (int)length, (int)node,
                                     nx_address(pid, nx_program)};
    long value = nx_process.library->send(nx_process.self, &call);
    if (__builtin_expect(value != 0, 0))
        send_further(value, call.first, (const void *)call.second, call.third, call.fourth, call.fifth);
}

/* The path of a message (README), 1: a thin entry over one operation. What it was about is still in the
 * reply, so nothing is saved for the rest. */
void csend(long type, const void *buffer, long length, long node, long pid)
{
    if (nx_process.library) {
        send_by_library(type, buffer, length, node, pid);
        return;
    }
    long address = nx_address(pid, nx_program);
    struct parley_reply reply = nx_proxy_send((int)type, buffer, (int)length, (int)node, address);
    if (__builtin_expect(reply.value != 0, 0))
        send_further(reply.value, (int)type, (const void *)reply.type, reply.block, reply.node, reply.pid);
}

long _csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = nx_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program));
    return value < 0 ? nx_set_errno(-value) : 0;
}
