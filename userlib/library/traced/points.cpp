// SPDX-License-Identifier: MIT
#include "messaging/message/message.hpp"
#include "messaging/wait_record.hpp"
#include "userlib/library/traced/area.hpp"

#include <processor_number.hpp> // of the port that is built

#include "messaging/trace_points.hpp"

namespace parley::messaging::trace {

namespace {

using library::trace::buffer_of;
using library::trace::capacity;

// The job is told by where the buffer lies.
parley_trace_record complete(TraceEvent event, unsigned endpoint, const TraceDetails& details)
{
    return {
        .time = platform::cycles(),
        .length = details.length,
        .message = details.message,
        .type = details.type,
        .job = 0,
        .process = static_cast<std::uint16_t>(endpoint),
        .peer = details.peer,
        .event = static_cast<std::uint8_t>(event),
        .processor = processor_number(),
    };
}

void note(TraceEvent event, unsigned endpoint, const TraceDetails& details)
{
    if (TraceBuffer* const buffer = buffer_of(endpoint))
        buffer->keep(buffer->draw(), capacity(), complete(event, endpoint, details));
}

// In a stamp: the message comes from another machine, and the rest is its number there.
constexpr std::uint32_t from_elsewhere = 1U << 31;

std::uint16_t sender_of(const Message& message)
{
    std::uint16_t sender = static_cast<std::uint16_t>(message.source());
    if ((message.stamp & from_elsewhere) != 0)
        __builtin_memcpy(&sender, message.helpers_space(), sizeof sender);
    return sender;
}

TraceDetails of_message(const Message& message, std::uint16_t peer)
{
    return {.length = message.length(),
            .message = message.stamp & ~from_elsewhere,
            .type = message.type(),
            .peer = peer};
}

} // namespace

void sending(Message& message)
{
    TraceBuffer* const buffer = buffer_of(message.source());
    if (buffer == nullptr)
        return;
    const std::uint64_t place = buffer->draw();
    message.stamp = static_cast<std::uint32_t>(place + 1) & ~from_elsewhere;
    buffer->keep(place, capacity(),
                 complete(TraceEvent::send_, message.source(), of_message(message, message.destination)));
}

void carried(Message& message, unsigned source, std::uint32_t stamp)
{
    message.stamp = stamp | from_elsewhere;
    const auto sender = static_cast<std::uint16_t>(source);
    __builtin_memcpy(message.helpers_space(), &sender, sizeof sender);
}

void matched(const Message& message)
{
    note(TraceEvent::match_, message.destination, of_message(message, sender_of(message)));
}

void received(const Message& message)
{
    note(TraceEvent::receive_, message.destination, of_message(message, sender_of(message)));
}

void waiting(unsigned endpoint, const WaitDetails& details)
{
    note(TraceEvent::wait_, endpoint,
         {.length = static_cast<std::uint64_t>(details.length),
          .message = static_cast<std::uint32_t>(details.reason),
          .type = static_cast<std::uint32_t>(details.type),
          .peer = static_cast<std::uint16_t>(WaitedPeer(details.peer).node())});
    if (TraceBuffer* const buffer = buffer_of(endpoint))
        buffer->time_use.begin_wait(platform::cycles());
}

void resumed(unsigned endpoint)
{
    note(TraceEvent::resume_, endpoint, {});
    if (TraceBuffer* const buffer = buffer_of(endpoint))
        buffer->time_use.end_wait(platform::cycles());
}

} // namespace parley::messaging::trace
