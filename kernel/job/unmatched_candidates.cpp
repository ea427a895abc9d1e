// SPDX-License-Identifier: MIT
#include "kernel/job/unmatched_candidates.hpp"

#include "messaging/message/message_list.hpp"

namespace parley::kernel {

using messaging::Message;
using messaging::MessageList;
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

} // namespace parley::kernel
