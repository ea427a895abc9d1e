/* SPDX-License-Identifier: MIT */
/* Handlers of Fortran programs: subroutines of four INTEGERs, and a fifth in the x forms. An INTEGER 0 in the
 * handler's place, which comes as an address too, means none. */
#include <nx.h>

#include "userlib/fortran/binding.h"
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handler_code.h"
#include "userlib/nx/handlers.h"

static struct nx_handler called(const char *call, void (*function)(), const int *value)
{
    return (struct nx_handler){call, function, (long)value, value ? nx_with_reference : nx_by_reference};
}

static void receive_for(struct nx_handler handler, long typesel, void *buffer, long maximum, long nodesel,
                        long pidsel)
{
    long value = nx_is_program_code((const void *)handler.function)
                     ? nx_receive_for(handler, typesel, buffer, maximum, nodesel, pidsel)
                     : nx_forget_receives(typesel);
    if (value < 0)
        nx_fail_receive(handler.call, typesel, maximum, nx_any, nx_any, -value);
}

void hrecv_(const int *typesel, void *buffer, const int *maximum, void (*handler)())
{
    receive_for(called("hrecv", handler, 0), *typesel, buffer, *maximum, nx_any, nx_any);
}

void hrecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
             void (*handler)(), const int *value_for_handler)
{
    receive_for(called("hrecvx", handler, value_for_handler), *typesel, buffer, *maximum, *nodesel, *pidsel);
}

/* A send's handler, which there must be. */
static long send_for(struct nx_handler handler, long type, const void *buffer, long length, long node,
                     long pid)
{
    return nx_is_program_code((const void *)handler.function)
               ? nx_send_for(handler, type, buffer, length, node, pid)
               : -nx_error_bad_handler;
}

void hsend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
            void (*handler)())
{
    long value = send_for(called("hsend", handler, 0), *type, buffer, *length, *node, *pid);
    if (value < 0)
        nx_fail_send("hsend", *type, *length, *node, *pid, -value);
}

void hsendx_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
             void (*handler)(), const int *value_for_handler)
{
    long value = send_for(called("hsendx", handler, value_for_handler), *type, buffer, *length, *node, *pid);
    if (value < 0)
        nx_fail_send("hsendx", *type, *length, *node, *pid, -value);
}

void hsendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
                const int *typesel, void *reply, const int *maximum, void (*handler)())
{
    long value = nx_is_program_code((const void *)handler)
                     ? nx_exchange_for(called("hsendrecv", handler, 0), *type, buffer, *length, *node, *pid,
                                       *typesel, reply, *maximum)
                     : -nx_error_bad_handler;
    if (value < 0)
        nx_fail_send("hsendrecv", *type, *length, *node, *pid, -value);
}

int masktrap_(const int *mask)
{
    return (int)masktrap(*mask);
}
