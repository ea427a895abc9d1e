// SPDX-License-Identifier: MIT
#include "jobs/wait_view.hpp"

#include "jobs/wait_description.hpp"
#include "messaging/message/message_list.hpp"

namespace parley::jobs {

using messaging::Message;
using messaging::MessageList;
using messaging::WaitReason;
using messaging::WaitRecord;

Seen Seen::by(const WaitRecord& record)
{
    std::uint32_t epoch = 0;
    if (!waits_unsignalled(record, epoch))
        return going_on();
    return {true, record.reason.load(std::memory_order_relaxed) != WaitReason::delivery_process, epoch};
}

bool waits_for_budget(const WaitRecord& record)
{
    const WaitReason reason = record.reason.load(std::memory_order_relaxed);
    return reason == WaitReason::budget ||
           (reason == WaitReason::delivery_process && record.length.load(std::memory_order_relaxed) != 0);
}

void WaitReport::end_line(TextWriter& line, const WaitRecord& record)
{
    if (record.holds_handler.load(std::memory_order_relaxed) != 0)
        line << "; a message handler is due, but the program holds it back with masktrap";
    line << '\n';
    system_.tell(line.view());
}

void WaitReport::tell_wait(TextWriter& line, const WaitRecord& record,
                           std::optional<std::uint64_t> milliseconds)
{
    describe_wait(line, record);
    if (milliseconds)
        line << ", for " << *milliseconds / 1000 << '.' << *milliseconds % 1000 / 100 << " s";
    end_line(line, record);
    budget_is_short_ = budget_is_short_ || waits_for_budget(record);
}

void WaitReport::tell_wait_for_ends(TextWriter& line, const WaitRecord& record)
{
    line << "waitall waits for programs to end";
    end_line(line, record);
}

void WaitReport::tell_wait_in_p(TextWriter& line, unsigned semaphore)
{
    line << "P waits for a V of semaphore " << semaphore << '\n';
    system_.tell(line.view());
}

void WaitReport::tell_unmatched(const WaitRecord& record)
{
    constexpr unsigned shown = 8;
    unsigned left = shown;
    for (const MessageList* const list :
         {record.unexpected, record.active_requests.load(std::memory_order_acquire),
          record.active_replies.load(std::memory_order_acquire)})
        if (!tell_list(list, record, left))
            return system_.tell("    and more\n");
}

// The list may be long, and a program may have closed it to a circle. False: there is more.
bool WaitReport::tell_list(const MessageList* at, const WaitRecord& record, unsigned& left)
{
    const MessageList* const list = find(at);
    for (const Message* message = list == nullptr ? nullptr
                                                  : find(static_cast<const Message*>(list->first()));
         message != nullptr; message = find(static_cast<const Message*>(message->next))) {
        if (left == 0)
            return false;
        --left;
        Text<200> line;
        line << "    unmatched: ";
        describe_unmatched(line, *message, record, message->node());
        line << '\n';
        system_.tell(line.view());
    }
    return true;
}

void WaitReport::tell_budget(std::string_view option)
{
    if (!budget_is_short_)
        return;
    Text<160> line;
    line << "  the message budget is used up: give the job more (" << option
         << "), or receive in another order\n";
    system_.tell(line.view());
}

} // namespace parley::jobs
