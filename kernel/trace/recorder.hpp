// SPDX-License-Identifier: MIT
// The traced kernel's memory: a buffer of records for each processor, and for each process of each job what
// its time went to. Interrupts are off wherever something is written down, so a processor's buffer has one
// writer at a time.
#pragma once

#include "base/trace_buffer.hpp"
#include "kernel/kernel.hpp"

#include <array>
#include <span>

namespace parley::kernel::trace {

// One process's time, in clock cycles.
struct ProcessTime {
    std::uint64_t first = 0; // when it first got a processor
    std::uint64_t ended = 0;
    std::uint64_t running = 0;    // had a processor
    std::uint64_t dispatched = 0; // has it since
    TimeUse use;                  // in kernel location
};

class Recorder {
public:
    // False: there is too little memory.
    bool make_room(Kernel& kernel);

    // Writes an event down for the process that `label` names (sched/process.hpp).
    void note(TraceEvent event, std::uint32_t label, const TraceDetails& details);
    // As note(), for a message that gets its number now. Answers that number.
    std::uint32_t note_numbered(TraceEvent event, std::uint32_t label, TraceDetails details);

    // What a record costs, measured before the first one is kept.
    std::uint64_t record_picoseconds() const { return record_picoseconds_; }

    // Null where this is not the label of a process with an endpoint. The times of policy processes, which
    // have none, are not kept.
    ProcessTime* time_of(std::uint32_t label);
    TraceBuffer* buffer(unsigned processor) { return buffers_[processor]; }
    std::uint64_t capacity() const { return capacity_; }

private:
    bool make_room_for_times(Kernel& kernel);
    void measure();

    std::uint64_t capacity_ = 0;
    std::uint64_t record_picoseconds_ = 0;
    std::array<TraceBuffer*, arch::max_processors + 1> buffers_{};
    std::array<std::span<ProcessTime>, Configuration::max_jobs> times_{};
};

Recorder& recorder();

} // namespace parley::kernel::trace
