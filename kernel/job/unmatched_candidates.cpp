// SPDX-License-Identifier: MIT
#include "kernel/job/unmatched_candidates.hpp"

#include "messaging/message/message_list.hpp"
#include "messaging/selector.hpp"

namespace parley::kernel {

using messaging::Message;
using messaging::MessageList;
using messaging::WaitReason;
using messaging::WaitRecord;

const Message* UnmatchedCandidates::first(const WaitRecord& record) const
{
    const MessageList* const list = find(record.unexpected);
    return list == nullptr ? nullptr : find(static_cast<const Message*>(list->first()));
}

const Message* UnmatchedCandidates::after(const Message& message) const
{
    return find(static_cast<const Message*>(message.next));
}

std::string_view reason_against(const Message& message, const WaitRecord& wait, int from_node)
{
    const WaitReason reason = wait.reason.load(std::memory_order_relaxed);
    if (reason != WaitReason::message && reason != WaitReason::block && reason != WaitReason::probe)
        return "it does not wait for this";
    const unsigned context = wait.context.load(std::memory_order_relaxed);
    if (context != message.context())
        return context == PARLEY_CONTEXT_LIBRARY ? "it is inside a call of the library's"
                                                 : "this node makes no such call";
    const auto types = static_cast<std::int32_t>(wait.type.load(std::memory_order_relaxed));
    if (!messaging::Selector{.types = types}.takes_type(message.type()))
        return context == PARLEY_CONTEXT_LIBRARY ? "this node makes another call"
                                                 : "another type is asked for";
    const std::int32_t node = wait.peer.load(std::memory_order_relaxed);
    if (node != -1 && node != from_node)
        return "another node is asked for";
    return "another process is asked for";
}

} // namespace parley::kernel
