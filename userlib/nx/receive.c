/* SPDX-License-Identifier: MIT */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"
#include "userlib/nx/short_ways.h"

#include <nx.h>

long msginfo[8];

/* The message's length, or minus an error; fills info after success. */
NX_INLINE long receive_into(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    const struct parley_receive_status found =
        nx_receive((int)typesel, buffer, maximum, (int)nodesel, nx_address(pidsel, nx_program));
    if (__builtin_expect(found.contents < 0, 0))
        return found.contents;
    nx_note_found(info, found);
    return parley_receive_status_length(found);
}

/* What crecv does after an error: once more when a handler was due, or the end. The parameters are where a
 * proxy call leaves them. */
static __attribute__((noinline)) void receive_again(long value, long typesel, void *buffer, long maximum)
{
    if (value == -nx_error_interrupted) {
        nx_attend_in_call();
        value = receive_into(typesel, buffer, maximum, nx_any, nx_any, msginfo);
    }
    if (value < 0)
        nx_fail_receive("crecv", typesel, maximum, nx_any, nx_any, -value);
}

void nx_crecv_by_proxy(long typesel, void *buffer, long maximum)
{
    const struct nx_registers left = nx_proxy_call(
        parley_method_messages_receive, nx_process.messages_proxy,
        NX_PROXY_WORDS((int)typesel, buffer, maximum, NX_SENDERS(nx_any, nx_address(nx_any, nx_program))));
    if (__builtin_expect(left.value < 0, 0))
        receive_again(left.value, (int)typesel, (void *)left.rdx, left.r10);
    else
        nx_note_found(msginfo, (struct parley_receive_status){left.value, (unsigned long)left.rdx});
}

void nx_crecv_by_library(long typesel, void *buffer, long maximum)
{
    const struct parley_receive call = {(int)typesel, (unsigned long)buffer, maximum,
                                        NX_SENDERS(nx_any, nx_address(nx_any, nx_program))};
    const struct parley_receive_status found = NX_CALL(receive, &call);
    if (__builtin_expect(found.contents < 0, 0))
        receive_again(found.contents, call.typesel, (void *)call.buffer, call.maximum);
    else
        nx_note_found(msginfo, found);
}

void crecv(long typesel, void *buffer, long maximum)
{
    nx_process.short_ways.crecv(typesel, buffer, maximum);
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
        nx_fail_receive("crecvx", typesel, maximum, nodesel, pidsel, -value);
}

long _crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    long value = receive_into(typesel, buffer, maximum, nodesel, pidsel, info);
    return value < 0 ? nx_set_errno(-value) : 0;
}
