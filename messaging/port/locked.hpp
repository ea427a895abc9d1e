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

    Message* put(MessageMemory& memory, Envelope envelope) override
    {
        Message& message = memory.open(envelope);
        const sched::ShortGuard guard(lock_);
        list_.push_back(message);
        count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return nullptr;
    }

    // Looks without the lock, so that it does not keep senders out.
    ReceiveStatus take(unsigned turns) override
    {
        while (count_.load(std::memory_order_relaxed) == 0) {
            if (turns-- == 0)
                return std::unexpected(Error::not_found);
            platform::between_looks();
        }
        const sched::ShortGuard guard(lock_);
        Message* const message = list_.pop_front();
        count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        taken_ = message;
        return Envelope(*message);
    }

private:
    // Apart from what is read in every put.
    alignas(64) sched::ShortLock lock_;
    Atomic<std::uint32_t> count_{0}; // of the list's messages: written with the lock held
    MessageList list_ GUARDED_BY(lock_);
};

} // namespace parley::messaging
