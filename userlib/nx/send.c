/* SPDX-License-Identifier: MIT */
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"
#include "userlib/nx/short_ways.h"

#include <nx.h>

/* What csend does when its message has not simply gone: the rest after a handler was due, or the end. */
static __attribute__((noinline)) void send_further(long value, long type, const void *buffer, long length,
                                                   long node, long address)
{
    value = nx_send_further(value, type, buffer, length, node, address);
    if (value < 0)
        nx_fail_send("csend", type, length, node, address >> 32, -value);
}

void nx_csend_by_proxy(long type, const void *buffer, long length, long node, long pid)
{
    const struct nx_registers left =
        nx_proxy_call(parley_method_messages_send, nx_process.messages_proxy,
                      NX_PROXY_WORDS((int)type, buffer, length, (int)node, nx_address(pid, nx_program)));
    if (__builtin_expect(left.value != 0, 0))
        send_further(left.value, (int)type, (const void *)left.rdx, left.r10, left.r8, left.r9);
}

static __attribute__((noinline)) void library_send_further(long value)
{
    const struct parley_send unsent = nx_process.calls.left->unsent;
    send_further(value, unsent.type, (const void *)unsent.buffer, unsent.length, unsent.node,
                 (long)unsent.address);
}

void nx_csend_by_library(long type, const void *buffer, long length, long node, long pid)
{
    long value = NX_CALL(send, (int)type, (unsigned long)buffer, length, (int)node,
                         (unsigned long)nx_address(pid, nx_program));
    if (__builtin_expect(value != 0, 0))
        library_send_further(value);
}

/* The path of a message (README), 1: a thin entry over one call, which was bound when the process joined. */
void csend(long type, const void *buffer, long length, long node, long pid)
{
    nx_process.short_ways.csend(type, buffer, length, node, pid);
}

long _csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = nx_send((int)type, buffer, length, (int)node, nx_address(pid, nx_program));
    return value < 0 ? nx_set_errno(-value) : 0;
}
