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

/* What crecv does after an error: once more when a handler was due, or the end. The parameters are where a
 * proxy call leaves them. */
static __attribute__((noinline)) void receive_again(long value, long typesel, void *buffer, long maximum)
{
    if (value == -nx_error_interrupted) {
        nx_attend();
        value = receive_into(typesel, buffer, maximum, nx_any, nx_any, msginfo);
    }
    if (value < 0)
        nx_fail_receive("crecv", typesel, maximum, -value);
}

/* What a call that failed was about is still in the reply, so nothing is saved for it. */
NX_INLINE void receive_by_proxy(long typesel, void *buffer, long maximum)
{
    const struct parley_reply reply =
        NX_PROXY(receive, typesel, buffer, maximum, NX_SENDERS(nx_any, nx_address(nx_any, nx_program)));
    if (__builtin_expect(reply.value < 0, 0))
        receive_again(reply.value, typesel, (void *)reply.type, reply.block);
    else
        nx_note_found(msginfo, nx_found(&reply));
}

/* A function of its own, so that the proxy call needs no frame on the stack. */
static __attribute__((noinline)) void receive_by_library(long typesel, void *buffer, long maximum)
{
    const struct parley_call call = {(int)typesel, (long)buffer, (int)maximum,
                                     NX_SENDERS(nx_any, nx_address(nx_any, nx_program))};
    const struct parley_found found = nx_process.calls.receive(nx_process.calls.self, &call);
    if (__builtin_expect(found.contents < 0, 0))
        receive_again(found.contents, call.first, (void *)call.second, call.third);
    else
        nx_note_found(msginfo, found);
}

void crecv(long typesel, void *buffer, long maximum)
{
    if (nx_process.library)
        receive_by_library(typesel, buffer, maximum);
    else
        receive_by_proxy((int)typesel, buffer, (int)maximum);
}

long _crecv(long typesel, void *buffer, long maximum)
{
    long value = receive_into(typesel, buffer, maximum, nx_any, nx_any, msginfo);
    return value < 0 ? nx_set_errno(-value) : 0;
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
    return value < 0 ? nx_set_errno(-value) : 0;
}
