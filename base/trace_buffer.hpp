// SPDX-License-Identifier: MIT
// Buffers of trace records, without locks: each processor has one; in user location each process has one. A
// writer draws the number of an entry; an entry beyond the end is a lost record, which `drawn` counts too.
// The same buffer has the counters that say how a process's time is used.
#pragma once

#include "base/address.hpp"
#include "interface/trace.h"

#include <atomic>
#include <cstdint>

namespace parley {

enum class TraceEvent : std::uint8_t {
#define PARLEY_TRACE_ENUMERATOR(name, number) name##_ = number,
    PARLEY_TRACE_EVENTS(PARLEY_TRACE_ENUMERATOR)
#undef PARLEY_TRACE_ENUMERATOR
};

// The parts of a record that depend on the event (trace.h).
struct TraceDetails {
    std::uint64_t length = 0;
    std::uint32_t message = 0;
    std::uint32_t type = 0;
    std::uint16_t peer = PARLEY_TRACE_NOBODY;
};

// A process's time in the message system, in clock cycles. Only that process writes it.
struct TimeUse {
    std::uint64_t calls = 0;
    std::uint64_t inside = 0;  // from entry to exit, waits included
    std::uint64_t waiting = 0; // the waits in it
    std::uint64_t entered = 0; // when the current call began, or 0
    std::uint64_t began = 0;   // when the current wait began, or 0

    void enter(std::uint64_t now)
    {
        ++calls;
        entered = now;
    }
    void leave(std::uint64_t now) { add_since(entered, now, inside); }
    void begin_wait(std::uint64_t now) { began = now; }
    void end_wait(std::uint64_t now) { add_since(began, now, waiting); }
    // The process has ended, perhaps in a call that has not returned.
    void end(std::uint64_t now)
    {
        end_wait(now);
        leave(now);
    }

private:
    static void add_since(std::uint64_t& start, std::uint64_t now, std::uint64_t& sum)
    {
        sum += start != 0 && now > start ? now - start : 0;
        start = 0;
    }
};

struct TraceBuffer {
    std::atomic<std::uint64_t> drawn; // entries, lost ones too
    std::uint64_t reserved;
    TimeUse time_use;
    std::uint64_t more_reserved;

    parley_trace_record* records() { return reinterpret_cast<parley_trace_record*>(this + 1); }

    // Draws the number of an entry, which may be beyond those that the buffer has.
    std::uint64_t draw() { return drawn.fetch_add(1, std::memory_order_relaxed); }
    void keep(std::uint64_t index, std::uint64_t capacity, const parley_trace_record& record)
    {
        if (index < capacity)
            records()[index] = record;
    }
};

static_assert(sizeof(TraceBuffer) == sizeof(parley_trace_buffer) && sizeof(parley_trace_record) == 32 &&
              sizeof(parley_trace_head) == 40);

constexpr std::uint64_t trace_capacity(std::uint64_t bytes)
{
    return (bytes - sizeof(TraceBuffer)) / sizeof(parley_trace_record);
}

} // namespace parley
