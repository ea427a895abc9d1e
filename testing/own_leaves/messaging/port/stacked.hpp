// SPDX-License-Identifier: MIT
// Senders push onto a stack with one compare-and-swap (Treiber's); whoever takes and has nothing left grabs
// the whole of it and turns it round, so that the oldest comes first. Never full.
#pragma once

#include "messaging/message/message.hpp"
#include "messaging/message/message_list.hpp"
#include "messaging/port.hpp"

#include "assertion.hpp"

#include <string_view>

namespace parley::messaging {

class StackedPort final : public Port {
public:
    static constexpr std::string_view name = "stacked";
    static constexpr std::string_view promise = "one compare-and-swap to send, no lock; never full";

    bool put(unsigned, Envelope envelope, MessageMemory* memory) override
    {
        Message& message = memory->open(envelope);
        begin_link(message.next);
        Message* below = pushed_.load(std::memory_order_relaxed);
        do {
            message.next = below;
        } while (!pushed_.compare_exchange_weak(below, &message, std::memory_order_release,
                                                std::memory_order_relaxed)); // pairs with the exchange below
        return true;
    }

    Taken take(MailboxHeld, unsigned looks) override
    {
        while (in_order_.empty() && pushed_.load(std::memory_order_relaxed) == nullptr)
            if (looks-- == 0)
                return {};
        if (in_order_.empty())
            turn_round(pushed_.exchange(nullptr, std::memory_order_acquire));
        Message* const message = in_order_.pop_front();
        return {*message, message};
    }

private:
    void turn_round(Message* youngest)
    {
        while (youngest != nullptr) {
            Message& message = *youngest;
            youngest = message.next;
            end_link(message.next);
            in_order_.push_front(message);
        }
    }

    MessageList in_order_; // guarded by the endpoint's lock
    alignas(64) Atomic<Message*> pushed_{nullptr};
};

} // namespace parley::messaging
