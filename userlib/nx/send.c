/* SPDX-License-Identifier: MIT */
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

/* What a call that failed was about is still in the reply, so nothing is saved for it. */
NX_INLINE void must_send(long type, struct parley_reply reply)
{
    if (__builtin_expect(reply.value < 0, 0))
        nx_fail_send("csend", (int)type, reply.block, reply.source, -reply.value);
}

/* A function of its own, so that the proxy call needs no frame on the stack. */
static __attribute__((noinline)) void send_by_library(long type, const void *buffer, long length, long node,
                                                      long pid)
{
    must_send(type, nx_library_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program)));
}

/* The path of a message (README), 1: a thin entry over one operation. */
void csend(long type, const void *buffer, long length, long node, long pid)
{
    if (nx_process.library)
        send_by_library(type, buffer, length, node, pid);
    else
        must_send(type,
                  nx_proxy_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program)));
}

long _csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = nx_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program)).value;
    return value < 0 ? nx_set_errno(-value) : 0;
}
