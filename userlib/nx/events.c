/* SPDX-License-Identifier: MIT */
/* A program's own events in the trace: beside those of its messages, so in user location into the process's
 * own buffer, as the traced message library does; else the kernel writes them down. */
#include "userlib/nx/events.h"

#include "userlib/nx/proxies.h"

#include <nx.h>

enum { record_bytes = sizeof(struct parley_trace_record) };

void nx_write_event(enum nx_traced event, long number, long value)
{
    const struct parley_start *start = nx_process.start;
    if (start->location == PARLEY_IN_KERNEL) {
        nx_process_note((unsigned)event, number, value);
        return;
    }
    unsigned char *own = (unsigned char *)start->trace_base + start->endpoint * start->trace_bytes;
    struct parley_trace_buffer *buffer = (struct parley_trace_buffer *)own;
    struct parley_trace_record *records = (struct parley_trace_record *)(own + sizeof *buffer);
    const unsigned long room = (start->trace_bytes - sizeof *buffer) / record_bytes;
    const unsigned long place = __atomic_fetch_add(&buffer->drawn, 1, __ATOMIC_RELAXED);
    if (place >= room)
        return;
    const struct parley_trace_record record = {
        .time = nx_cycles(),
        .length = (unsigned long)value,
        .type = (unsigned)number,
        .process = (unsigned short)start->endpoint,
        .peer = PARLEY_TRACE_NOBODY,
        .event = (unsigned char)event,
        .processor = PARLEY_TRACE_NOWHERE,
    };
    records[place] = record;
}

void nx_event(long number, long value)
{
    nx_trace_event(nx_traced_event, (int)number, value);
}
