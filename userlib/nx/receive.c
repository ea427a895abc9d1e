/* SPDX-License-Identifier: MIT */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

long msginfo[8];

/* The message's length, or minus an error; fills info after success. */
NX_INLINE long receive_into(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    struct parley_reply reply =
        nx_receive((int)typesel, buffer, (int)maximum, (int)nodesel, nx_address(pidsel, nx_program));
    if (__builtin_expect(reply.value >= 0, 1))
        nx_note_arrival(info, &reply, reply.value);
    return reply.value;
}

void crecv(long typesel, void *buffer, long maximum)
{
    long value = receive_into(typesel, buffer, maximum, nx_any, nx_any, msginfo);
    if (__builtin_expect(value < 0, 0))
        nx_fail_receive("crecv", typesel, maximum, -value);
}

long _crecv(long typesel, void *buffer, long maximum)
{
    long value = receive_into(typesel, buffer, maximum, nx_any, nx_any, msginfo);
    return value < 0 ? nx_set_errno(-value) : value;
}

void crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    long value = receive_into(typesel, buffer, maximum, nodesel, pidsel, info);
    if (value < 0)
        nx_fail_receive("crecvx", typesel, maximum, -value);
}

long _crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    long value = receive_into(typesel, buffer, maximum, nodesel, pidsel, info);
    return value < 0 ? nx_set_errno(-value) : value;
}
