/* SPDX-License-Identifier: MIT */
/* hrecv, hsend, hsendrecv and their x forms. */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"

#include <nx.h>

static struct nx_handler plain(const char *call, void (*function)())
{
    return (struct nx_handler){call, function, 0, nx_by_value};
}

static struct nx_handler with(const char *call, void (*function)(), long value)
{
    return (struct nx_handler){call, function, value, nx_with_value};
}

static long receive_for(struct nx_handler handler, long typesel, void *buffer, long maximum, long nodesel,
                        long pidsel)
{
    if (!handler.function)
        return nx_forget_receives(typesel);
    return nx_receive_for(handler, typesel, buffer, maximum, nodesel, pidsel);
}

void hrecv(long typesel, void *buffer, long maximum, nx_handler_function handler)
{
    long value = receive_for(plain("hrecv", handler), typesel, buffer, maximum, nx_any, nx_any);
    if (value < 0)
        nx_fail_receive("hrecv", typesel, maximum, nx_any, nx_any, -value);
}

long _hrecv(long typesel, void *buffer, long maximum, nx_handler_function handler)
{
    long value = receive_for(plain("hrecv", handler), typesel, buffer, maximum, nx_any, nx_any);
    return value < 0 ? nx_set_errno(-value) : 0;
}

void hrecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, nx_xhandler_function handler,
            long value_for_handler)
{
    long value =
        receive_for(with("hrecvx", handler, value_for_handler), typesel, buffer, maximum, nodesel, pidsel);
    if (value < 0)
        nx_fail_receive("hrecvx", typesel, maximum, nodesel, pidsel, -value);
}

long _hrecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel,
             nx_xhandler_function handler, long value_for_handler)
{
    long value =
        receive_for(with("hrecvx", handler, value_for_handler), typesel, buffer, maximum, nodesel, pidsel);
    return value < 0 ? nx_set_errno(-value) : 0;
}

/* Without a handler nobody wants to hear of it. */
static long send_for(struct nx_handler handler, long type, const void *buffer, long length, long node,
                     long pid)
{
    return handler.function ? nx_send_for(handler, type, buffer, length, node, pid) : -nx_error_bad_handler;
}

void hsend(long type, const void *buffer, long length, long node, long pid, nx_handler_function handler)
{
    long value = send_for(plain("hsend", handler), type, buffer, length, node, pid);
    if (value < 0)
        nx_fail_send("hsend", type, length, node, pid, -value);
}

long _hsend(long type, const void *buffer, long length, long node, long pid, nx_handler_function handler)
{
    long value = send_for(plain("hsend", handler), type, buffer, length, node, pid);
    return value < 0 ? nx_set_errno(-value) : 0;
}

void hsendx(long type, const void *buffer, long length, long node, long pid, nx_xhandler_function handler,
            long value_for_handler)
{
    long value = send_for(with("hsendx", handler, value_for_handler), type, buffer, length, node, pid);
    if (value < 0)
        nx_fail_send("hsendx", type, length, node, pid, -value);
}

long _hsendx(long type, const void *buffer, long length, long node, long pid, nx_xhandler_function handler,
             long value_for_handler)
{
    long value = send_for(with("hsendx", handler, value_for_handler), type, buffer, length, node, pid);
    return value < 0 ? nx_set_errno(-value) : 0;
}

static long exchange_for(long type, const void *buffer, long length, long node, long pid, long typesel,
                         void *reply, long maximum, nx_handler_function handler)
{
    if (!handler)
        return -nx_error_bad_handler;
    return nx_exchange_for(plain("hsendrecv", handler), type, buffer, length, node, pid, typesel, reply,
                           maximum);
}

void hsendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum, nx_handler_function handler)
{
    long value = exchange_for(type, buffer, length, node, pid, typesel, reply, maximum, handler);
    if (value < 0)
        nx_fail_send("hsendrecv", type, length, node, pid, -value);
}

long _hsendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum, nx_handler_function handler)
{
    long value = exchange_for(type, buffer, length, node, pid, typesel, reply, maximum, handler);
    return value < 0 ? nx_set_errno(-value) : 0;
}
