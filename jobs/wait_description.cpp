// SPDX-License-Identifier: MIT
#include "jobs/wait_description.hpp"

#include "interface/library_messages.h"
#include "messaging/selector.hpp"

#include <iterator>
#include <string_view>

namespace parley::jobs {

namespace {

using messaging::Message;
using messaging::WaitReason;
using messaging::WaitRecord;

messaging::WaitedPeer peer_of(const WaitRecord& record)
{
    return messaging::WaitedPeer(record.peer.load(std::memory_order_relaxed));
}

void add_peer(TextWriter& text, std::string_view direction, std::int32_t peer)
{
    text << direction;
    if (peer < 0)
        text << "any node";
    else
        text << "node " << peer;
}

void describe_send(TextWriter& text, const WaitRecord& record, std::string_view waits_for)
{
    text << "csend(type " << record.type.load(std::memory_order_relaxed) << ", "
         << Counted{static_cast<std::uint64_t>(record.length.load(std::memory_order_relaxed)), "byte"}
         << ", ";
    add_peer(text, "to ", peer_of(record).node());
    text << ") waits " << waits_for;
}

void describe_receive(TextWriter& text, const WaitRecord& record, std::string_view call)
{
    text << call << "(selector " << record.type.load(std::memory_order_relaxed);
    add_peer(text, ", from ", peer_of(record).node());
    text << ") waits for a message";
}

void describe_request(TextWriter& text, const WaitRecord& record, std::string_view waits_for,
                      std::string_view direction)
{
    text << "msgwait(" << record.length.load(std::memory_order_relaxed) << ") waits for " << waits_for
         << record.type.load(std::memory_order_relaxed);
    add_peer(text, direction, peer_of(record).node());
    text << ")";
}

// "" for what is no number of a call.
std::string_view library_call_name(std::int64_t type)
{
    static constexpr std::string_view names[] = {
#define PARLEY_LIBRARY_CALL(name) #name,
#include "interface/library_calls.def"
    };
    static_assert(std::size(names) == parley_library_call_count);
    return type >= 0 && type < parley_library_call_count ? names[type] : std::string_view{};
}

void add_library_call(TextWriter& text, std::int64_t type)
{
    const std::string_view name = library_call_name(type);
    text << (name.empty() ? "the NX library" : name);
}

// A call of the library's that the program has made: what is beneath it says the program nothing.
void describe_library_call(TextWriter& text, const WaitRecord& record)
{
    add_library_call(text, record.type.load(std::memory_order_relaxed));
    switch (record.reason.load(std::memory_order_relaxed)) {
    case WaitReason::budget: text << " waits for room in the job's message budget"; return;
    case WaitReason::delivery:
    case WaitReason::request:
    case WaitReason::sent: text << " waits for its bytes to be taken"; return;
    default: break;
    }
    // Which of several nodes has not come, a machine does not know of another's.
    if (const std::int32_t node = peer_of(record).node(); node >= 0)
        text << " waits for node " << node;
    else
        text << " waits for other nodes";
}

// Requests wait for room, and for replies; AM_WaitSema waits for anything.
void describe_active_wait(TextWriter& text, const WaitRecord& record)
{
    switch (record.reason.load(std::memory_order_relaxed)) {
    case WaitReason::budget: text << "an Active Message waits for room in the job's message budget"; return;
    case WaitReason::request:
    case WaitReason::sent: text << "the end waits for Active Messages that it has lent to be taken"; return;
    default: text << "AM_WaitSema, or a request that may not go before a reply, waits for an Active Message";
    }
}

std::string_view reason_against(const Message& message, const WaitRecord& wait, int from_node)
{
    const WaitReason reason = wait.reason.load(std::memory_order_relaxed);
    if (reason != WaitReason::message && reason != WaitReason::block && reason != WaitReason::probe &&
        reason != WaitReason::request)
        return "it does not wait for this";
    if (peer_of(wait).is_active())
        return "it waits for Active Messages";
    const bool from_library = message.context() == PARLEY_CONTEXT_LIBRARY;
    if (peer_of(wait).is_library() != from_library)
        return from_library ? "this node makes no such call" : "it is inside a call of the library's";
    const auto types = static_cast<std::int32_t>(wait.type.load(std::memory_order_relaxed));
    if (!messaging::Selector{.types = types}.takes_type(message.type()))
        return from_library ? "this node makes another call" : "another type is asked for";
    const std::int32_t node = peer_of(wait).node();
    if (node != -1 && node != from_node)
        return "another node is asked for";
    return "another process is asked for";
}

} // namespace

void describe_wait(TextWriter& text, const WaitRecord& record)
{
    if (peer_of(record).is_active())
        return describe_active_wait(text, record);
    if (peer_of(record).is_library())
        return describe_library_call(text, record);
    switch (record.reason.load(std::memory_order_relaxed)) {
    case WaitReason::message: return describe_receive(text, record, "crecv");
    case WaitReason::block: return describe_receive(text, record, "crecvp");
    case WaitReason::probe: return describe_receive(text, record, "cprobe");
    case WaitReason::delivery: return describe_send(text, record, "for the copy to be made");
    case WaitReason::budget: return describe_send(text, record, "for room in the job's message budget");
    case WaitReason::request:
        describe_request(text, record, "a message for its irecv(selector ", ", from ");
        return;
    case WaitReason::sent:
        describe_request(text, record, "the copy to be made of its isend(type ", ", to ");
        return;
    case WaitReason::lent: text << "the end waits for buffers it has lent to be copied"; return;
    case WaitReason::delivery_process:
        text << (record.length.load(std::memory_order_relaxed) == 0
                     ? "the delivery process has nothing to deliver"
                     : "waits for room in the job's message budget, for what has come");
        return;
    }
}

void describe_unmatched(TextWriter& text, const Message& message, const WaitRecord& record, int from_node)
{
    if (message.context() == PARLEY_CONTEXT_ACTIVE) {
        text << "an Active Message, a " << (message.type() % 2 == 0 ? "request" : "reply") << " of "
             << Counted{message.length(), "byte"} << ", from node " << from_node
             << ": this node does not poll";
        return;
    }
    if (message.context() == PARLEY_CONTEXT_LIBRARY)
        add_library_call(text, message.type());
    else
        text << "type " << message.type();
    text << ", " << Counted{message.length(), "byte"} << ", from node " << from_node << ": "
         << reason_against(message, record, from_node);
}

bool waits_unsignalled(const WaitRecord& record, std::uint32_t& epoch)
{
    epoch = record.epoch.load(std::memory_order_acquire);
    return epoch % 2 == 1 && record.seen.load(std::memory_order_acquire) ==
                                 record.event.sequence.load(std::memory_order_acquire);
}

} // namespace parley::jobs
