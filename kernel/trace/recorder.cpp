// SPDX-License-Identifier: MIT
#include "kernel/trace/recorder.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "messaging/composition.hpp"

namespace parley::kernel::trace {

namespace {

constinit Recorder the_recorder;

// A number is unique among all messages: the processor that gave it, and its index in that processor's
// buffer.
constexpr unsigned index_bits = 25;

constexpr unsigned job_of(std::uint32_t label) { return label >> 16; }
constexpr unsigned process_of(std::uint32_t label) { return label & 0xffff; }

parley_trace_record complete(TraceEvent event, std::uint32_t label, const TraceDetails& details,
                             unsigned processor)
{
    return {
        .time = arch::read_time_stamp(),
        .length = details.length,
        .message = details.message,
        .type = details.type,
        .job = static_cast<std::uint16_t>(job_of(label)),
        .process = static_cast<std::uint16_t>(process_of(label)),
        .peer = details.peer,
        .event = static_cast<std::uint8_t>(event),
        .processor = static_cast<std::uint8_t>(processor),
    };
}

} // namespace

Recorder& recorder() { return the_recorder; }

bool Recorder::make_room(Kernel& kernel)
{
    capacity_ = kernel.configuration.trace_records;
    for (unsigned id = 0; id < kernel.processors.all(); ++id) {
        const std::size_t bytes = sizeof(TraceBuffer) + capacity_ * sizeof(parley_trace_record);
        const Result<std::byte*> memory = kernel.memory.own_window().allocate(bytes, alignof(TraceBuffer));
        if (!memory)
            return false;
        buffers_[id] = ::new (*memory) TraceBuffer;
    }
    measure();
    return make_room_for_times(kernel);
}

// On this processor, whose buffer is empty again afterwards.
void Recorder::measure()
{
    constexpr std::uint64_t records = 256;
    constexpr std::uint64_t picoseconds = 1'000'000'000'000;
    const std::uint64_t began = arch::read_time_stamp();
    for (std::uint64_t i = 0; i < records; ++i)
        note(TraceEvent::event_, 0, {});
    const std::uint64_t cycles = arch::read_time_stamp() - began;
    record_picoseconds_ = cycles * (picoseconds / records) / arch::clock_hertz();
    buffers_[arch::this_processor().id]->drawn.store(0, std::memory_order_relaxed);
}

bool Recorder::make_room_for_times(Kernel& kernel)
{
    const std::span<const JobConfiguration> jobs = kernel.configuration.all_jobs();
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        messaging::Design design;
        (void)messaging::parse_design(jobs[job].design, design);
        const unsigned count = messaging::endpoint_count(messaging::helpers_of(design), jobs[job].nodes,
                                                         jobs[job].pids, jobs[job].host);
        const Result<std::byte*> memory =
            kernel.memory.own_window().allocate(count * sizeof(ProcessTime), alignof(ProcessTime));
        if (!memory)
            return false;
        times_[job] = {::new (*memory) ProcessTime[count], count};
    }
    return true;
}

void Recorder::note(TraceEvent event, std::uint32_t label, const TraceDetails& details)
{
    const unsigned processor = arch::this_processor().id;
    TraceBuffer* const buffer = buffers_[processor];
    if (buffer == nullptr)
        return; // the boot's own switches
    buffer->keep(buffer->draw(), capacity_, complete(event, label, details, processor));
}

std::uint32_t Recorder::note_numbered(TraceEvent event, std::uint32_t label, TraceDetails details)
{
    const unsigned processor = arch::this_processor().id;
    TraceBuffer& buffer = *buffers_[processor];
    const std::uint64_t index = buffer.draw();
    details.message = static_cast<std::uint32_t>(processor << index_bits | (index + 1));
    buffer.keep(index, capacity_, complete(event, label, details, processor));
    return details.message;
}

ProcessTime* Recorder::time_of(std::uint32_t label)
{
    const unsigned job = job_of(label) - 1;
    const unsigned process = process_of(label);
    return job < times_.size() && process < times_[job].size() ? &times_[job][process] : nullptr;
}

} // namespace parley::kernel::trace
