// SPDX-License-Identifier: MIT
// A list of messages under one lock: the plainest port there is, and never full. The messages are the list's
// links, so every put and every take touches a message's own memory.
#pragma once

#include "messaging/message/message.hpp"
#include "messaging/message/message_list.hpp"
#include "messaging/port.hpp"
#include "sched/synchronization/spinning.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class LockedPort final : public Port {
public:
    static constexpr std::string_view name = "locked";
    static constexpr std::string_view promise =
        "a list under one lock for senders and receiver alike; never full";

    bool put(unsigned, Envelope envelope, MessageMemory* memory) override
    {
        Message& message = memory->open(envelope);
        const sched::ShortGuard guard(lock_);
        list_.push_back(message);
        put_.store(put_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return true;
    }

    // Looks without the list's lock, so that looking does not keep senders out.
    Taken take(MailboxHeld, unsigned looks) override
    {
        while (put_.load(std::memory_order_relaxed) == taken_) {
            if (looks-- == 0)
                return {};
            platform::between_looks();
        }
        const sched::ShortGuard guard(lock_);
        Message* const message = list_.pop_front();
        ++taken_;
        return {*message, message};
    }

    Watched watched(MailboxHeld) const override { return {&put_, taken_ + 1}; }

private:
    alignas(64) std::uint64_t taken_ = 0; // how many messages; guarded by the mailbox's lock
    // In a cache line apart from what every put reads.
    alignas(64) sched::ShortLock lock_;
    Atomic<std::uint64_t> put_{0}; // how many messages: written under lock_
    MessageList list_ GUARDED_BY(lock_);
};

} // namespace parley::messaging
