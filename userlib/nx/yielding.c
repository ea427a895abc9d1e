/* SPDX-License-Identifier: MIT */
/* Giving the processor away, and doing nothing in measured ways. */
#include "userlib/nx/handlers.h"
#include "userlib/nx/proxies.h"

#include <nx.h>

void flick(void)
{
    nx_attend_if_due();
    nx_process_yield();
}

long _flick(void)
{
    flick();
    return 0;
}

/* The light on a hypercube node's front panel; this machine has none. */
void led(long on)
{
    (void)on;
}

long _led(long on)
{
    (void)on;
    return 0;
}

/* Exceptions end a program whatever it wants to do then. Not in nx.h: programs name their own handlers so. */
void handler(long type, void (*function)());
long _handler(long type, void (*function)());

void handler(long type, void (*function)())
{
    (void)type, (void)function;
}

long _handler(long type, void (*function)())
{
    (void)type, (void)function;
    return 0;
}

void nx_pause(void)
{
    if (nx_process.pause)
        __builtin_ia32_pause();
}

void nx_null_call(void)
{
    nx_process_null();
}
