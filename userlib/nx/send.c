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

/* The same where the message library keeps what the call was about. */
static __attribute__((noinline)) void library_send_further(long value)
{
    const struct parley_call call = nx_process.left->unsent;
    send_further(value, call.first, (const void *)call.second, call.third, call.fourth, call.fifth);
}

/* The path of a message (README), 1: a thin entry over one operation. What it was about is still in the
 * reply of a proxy, so nothing is saved for the rest. */
void csend(long type, const void *buffer, long length, long node, long pid)
{
    long address = nx_address(pid, nx_program);
    if (nx_process.calls.send) {
        long value = nx_library_send((int)type, buffer, (int)length, (int)node, address);
        if (__builtin_expect(value != 0, 0))
            library_send_further(value);
        return;
    }
    struct parley_reply reply = nx_proxy_send((int)type, buffer, (int)length, (int)node, address);
    if (__builtin_expect(reply.value != 0, 0))
        send_further(reply.value, (int)type, (const void *)reply.type, reply.block, reply.node, reply.pid);
}

long _csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = nx_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program));
    return value < 0 ? nx_set_errno(-value) : 0;
}
