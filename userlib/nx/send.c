/* SPDX-License-Identifier: MIT */
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

NX_INLINE long send_program(long type, const void *buffer, long length, long node, long pid)
{
    return nx_send((int)type, buffer, (int)length, (int)node, nx_address(pid, nx_program)).value;
}

void csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = send_program(type, buffer, length, node, pid);
    if (__builtin_expect(value < 0, 0))
        nx_fail_send("csend", type, length, node, -value);
}

long _csend(long type, const void *buffer, long length, long node, long pid)
{
    long value = send_program(type, buffer, length, node, pid);
    return value < 0 ? nx_set_errno(-value) : 0;
}
