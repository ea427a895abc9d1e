// SPDX-License-Identifier: MIT
// What a traced kernel does where the kernel itself is watched, and how its records leave the machine.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/text.hpp"
#include "interface/semaphores.h"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/trace/recorder.hpp"

#include "kernel/trace_points.hpp"

#include <optional>

namespace parley::kernel::trace {

namespace {

using Bytes = ResultsChannel::Bytes;

constexpr std::size_t records_a_frame = 512;

std::uint32_t label(const Job& job, unsigned endpoint) { return (job.number() + 1) << 16 | endpoint; }

void send(Kernel& kernel, std::uint32_t job, std::uint32_t source, std::uint64_t lost, Bytes records)
{
    const parley_trace_head head{PARLEY_TRACE_VERSION, sizeof(parley_trace_record), job, source, lost,
                                 arch::clock_hertz(),  arch::clock_start()};
    kernel.record.results().send(PARLEY_FRAME_TRACE, {bytes_of(head), records});
    preemption_point();
}

struct Kept {
    std::uint64_t kept;
    std::uint64_t lost;
};

// A program may have written anything into its own buffer; no more than its places are believed.
Kept kept(std::uint64_t drawn, std::uint64_t capacity)
{
    return drawn <= capacity ? Kept{drawn, 0} : Kept{capacity, drawn - capacity};
}

// A process's own buffer, page by page through the kernel's mapping; returns what its head says of its time,
// or nothing where it has written nothing.
std::optional<TimeUse> send_area(Kernel& kernel, Job& job, unsigned endpoint, std::size_t start)
{
    std::optional<TimeUse> use;
    Kept rest{};
    for (std::size_t offset = 0; offset < PARLEY_TRACE_LIBRARY_BYTES; offset += page_bytes) {
        const Result<PhysAddr> page = job.shared()->find(start + offset);
        if (!page)
            break;
        auto* const bytes = arch::to_pointer<std::byte>(*page);
        std::size_t records_start = 0;
        if (offset == 0) {
            const auto& head = *reinterpret_cast<TraceBuffer*>(bytes);
            use = head.time_use;
            rest =
                kept(head.drawn.load(std::memory_order_relaxed), trace_capacity(PARLEY_TRACE_LIBRARY_BYTES));
            records_start = sizeof(TraceBuffer);
        }
        const std::uint64_t room = (page_bytes - records_start) / sizeof(parley_trace_record);
        const std::uint64_t count = rest.kept < room ? rest.kept : room;
        if (count == 0)
            break;
        send(kernel, job.number() + 1, endpoint, rest.lost,
             Bytes(bytes + records_start, count * sizeof(parley_trace_record)));
        rest = {rest.kept - count, 0};
    }
    return use;
}

void send_time(Kernel& kernel, const Job& job, unsigned endpoint, const ProcessTime& time, const TimeUse& use)
{
    Text<400> text;
    text << "job=" << job.number() << "\nendpoint=" << endpoint << "\nlife=" << time.ended - time.first
         << "\nrunning=" << time.running << "\ninside=" << use.inside << "\nwaiting=" << use.waiting
         << "\ncalls=" << use.calls << "\nclock_hertz=" << arch::clock_hertz() << '\n';
    kernel.record.results().send(PARLEY_FRAME_TIME, text.view());
}

} // namespace

bool make_room(Kernel& kernel) { return recorder().make_room(kernel); }

std::uint64_t record_picoseconds() { return recorder().record_picoseconds(); }

std::size_t area_bytes(unsigned endpoints) { return std::size_t{endpoints} * PARLEY_TRACE_LIBRARY_BYTES; }

Inside::Inside(const UserProcess& process, ObjectClass kind)
    : process_(process), counts_(kind == ObjectClass::messages)
{
    if (counts_)
        recorder().time_of(process.label)->use.enter(arch::read_time_stamp());
}

Inside::~Inside()
{
    if (counts_)
        recorder().time_of(process_.label)->use.leave(arch::read_time_stamp());
}

// Of the machine's own events a program knows nothing.
void noted(UserProcess& process, unsigned event, std::uint32_t number, std::uint64_t value)
{
    for (const TraceEvent own : {TraceEvent::event_, TraceEvent::p_, TraceEvent::v_})
        if (event == static_cast<unsigned>(own))
            recorder().note(own, process.label, {.length = value, .type = number});
}

void process_ended(UserProcess& process)
{
    const std::uint64_t now = arch::read_time_stamp();
    if (ProcessTime* const time = recorder().time_of(process.label)) {
        time->ended = now;
        time->running += now - time->dispatched;
        time->dispatched = now;
    }
    recorder().note(TraceEvent::ended_, process.label, {});
}

void job_ended(Kernel& kernel, Job& job)
{
    const unsigned endpoints = job.processes().endpoints();
    // Behind the traces lie the words of semaphores.
    const std::size_t area = job.shared()->bytes() - PARLEY_SEMAPHORE_AREA - area_bytes(endpoints);
    for (unsigned endpoint = 0; endpoint < endpoints; ++endpoint) {
        const ProcessTime& time = *recorder().time_of(label(job, endpoint));
        const std::size_t start = area + endpoint * std::size_t{PARLEY_TRACE_LIBRARY_BYTES};
        const std::optional<TimeUse> own = send_area(kernel, job, endpoint, start);
        TimeUse use = time.use.calls != 0 ? time.use : own.value_or(time.use);
        use.end(time.ended);
        send_time(kernel, job, endpoint, time, use);
    }
}

void run_ended(Kernel& kernel)
{
    for (unsigned processor = 0; processor < kernel.processors.all(); ++processor) {
        TraceBuffer& buffer = *recorder().buffer(processor);
        Kept rest = kept(buffer.drawn.load(std::memory_order_relaxed), recorder().capacity());
        const parley_trace_record* at = buffer.records();
        while (rest.kept > 0) {
            const std::uint64_t count = rest.kept < records_a_frame ? rest.kept : records_a_frame;
            send(kernel, 0, processor, rest.lost, std::as_bytes(std::span(at, count)));
            at += count;
            rest = {rest.kept - count, 0};
        }
    }
}

} // namespace parley::kernel::trace
