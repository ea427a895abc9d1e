// SPDX-License-Identifier: MIT
// What a traced kernel writes down where it is watched.
#include "arch/x86_64/registers.hpp"
#include "kernel/trace/recorder.hpp"
#include "messaging/message/message.hpp"
#include "messaging/wait_record.hpp"
#include "sched/gang.hpp"

#include "messaging/trace_points.hpp"
#include "sched/trace_points.hpp"

namespace parley {

namespace {

using kernel::trace::ProcessTime;
using kernel::trace::recorder;

std::uint32_t own_label() { return sched::current().label; }

// A process of the job that the running process belongs to.
std::uint32_t label_of(unsigned endpoint) { return (own_label() & 0xffff0000) | endpoint; }

TraceDetails of_message(const messaging::Message& message, std::uint16_t peer)
{
    return {.length = message.length(), .message = message.stamp, .type = message.type(), .peer = peer};
}

void note_gang(TraceEvent event, const sched::Gang& gang)
{
    recorder().note(event, gang.first()->label & 0xffff0000, {.length = gang.size()});
}

} // namespace

namespace messaging::trace {

void sending(Message& message)
{
    message.stamp = recorder().note_numbered(TraceEvent::send_, label_of(message.source()),
                                             of_message(message, message.destination));
}

void matched(const Message& message)
{
    recorder().note(TraceEvent::match_, label_of(message.destination), of_message(message, message.source()));
}

void received(const Message& message)
{
    recorder().note(TraceEvent::receive_, label_of(message.destination),
                    of_message(message, message.source()));
}

void waiting(unsigned endpoint, const WaitDetails& details)
{
    recorder().note(TraceEvent::wait_, label_of(endpoint),
                    {.length = static_cast<std::uint64_t>(details.length),
                     .message = static_cast<std::uint32_t>(details.reason),
                     .type = static_cast<std::uint32_t>(details.type),
                     .peer = static_cast<std::uint16_t>(messaging::WaitedPeer(details.peer).node())});
    if (ProcessTime* time = recorder().time_of(own_label()))
        time->use.begin_wait(arch::read_time_stamp());
}

void resumed(unsigned endpoint)
{
    recorder().note(TraceEvent::resume_, label_of(endpoint), {});
    if (ProcessTime* time = recorder().time_of(own_label()))
        time->use.end_wait(arch::read_time_stamp());
}

} // namespace messaging::trace

namespace sched::trace {

void switching(const Process& from, const Process& to)
{
    recorder().note(TraceEvent::switch_, to.label, {.message = from.label});
    const std::uint64_t now = arch::read_time_stamp();
    if (ProcessTime* time = recorder().time_of(from.label))
        time->running += now - time->dispatched;
    if (ProcessTime* time = recorder().time_of(to.label)) {
        time->dispatched = now;
        time->first = time->first == 0 ? now : time->first;
    }
}

void blocking(const Process& self) { recorder().note(TraceEvent::block_, self.label, {}); }

void waking(const Process& process)
{
    const bool same_job = process.label >> 16 == own_label() >> 16;
    const auto peer = static_cast<std::uint16_t>(same_job ? own_label() & 0xffff : PARLEY_TRACE_NOBODY);
    recorder().note(TraceEvent::wake_, process.label, {.peer = peer});
}

void interrupt_begins() { recorder().note(TraceEvent::interrupt_, own_label(), {}); }
void interrupt_ends() { recorder().note(TraceEvent::returned_, own_label(), {}); }

void gang_scheduled(const Gang& gang) { note_gang(TraceEvent::scheduled_, gang); }
void gang_begun(const Gang& gang) { note_gang(TraceEvent::begun_, gang); }
void gang_collected(const Gang& gang) { note_gang(TraceEvent::collected_, gang); }
void gang_freed(const Gang& gang) { note_gang(TraceEvent::freed_, gang); }

} // namespace sched::trace

} // namespace parley
