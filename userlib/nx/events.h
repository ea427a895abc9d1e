/* SPDX-License-Identifier: MIT */
/* What a program itself adds to the trace of a run. */
#ifndef PARLEY_NX_EVENTS_H
#define PARLEY_NX_EVENTS_H

#include "interface/trace.h"
#include "userlib/nx/this_process.h"

#define PARLEY_NX_EVENT_NUMBER(name, number) nx_traced_##name = (number),
enum nx_traced { PARLEY_TRACE_EVENTS(PARLEY_NX_EVENT_NUMBER) };
#undef PARLEY_NX_EVENT_NUMBER

void nx_write_event(enum nx_traced event, long number, long value);

/* Where nobody traces this is one look at a word. */
static inline void nx_trace_event(enum nx_traced event, long number, long value)
{
    if (__builtin_expect(nx_process.start->trace_bytes != 0, 0))
        nx_write_event(event, number, value);
}

#endif
