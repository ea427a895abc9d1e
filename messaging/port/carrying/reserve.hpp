// SPDX-License-Identifier: MIT
// Memory of a port's own, for messages that it carries without their senders' memory: one that its taker
// keeps for later is written into a place here. The takers of a port take places, under its endpoint's lock;
// whoever is done with such a message gives its place back.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/message/message.hpp"

#include <bit>
#include <cstdint>

namespace parley::messaging {

class Reserve {
public:
    static constexpr unsigned places = 64;

    Reserve()
    {
        for (Message& message : messages_)
            message.set_held();
    }

    // How many are there at least; more may come back at any time.
    unsigned spare() const { return places - count_.load(std::memory_order_relaxed); }
    // There is one, and the caller holds the lock of the endpoint. Acquire pairs with the release in
    // give_back().
    Message& take()
    {
        assert_that([&] { return spare() != 0; });
        const auto place = static_cast<unsigned>(std::countr_one(busy_.load(std::memory_order_acquire)));
        busy_.fetch_or(std::uint64_t{1} << place, std::memory_order_relaxed);
        count_.fetch_add(1, std::memory_order_relaxed);
        return messages_[place];
    }
    // By anyone: a place that take() has answered.
    void give_back(const MessageMemory& memory)
    {
        const auto place = static_cast<const Message*>(&memory) - messages_;
        busy_.fetch_and(~(std::uint64_t{1} << place), std::memory_order_release);
        count_.fetch_sub(1, std::memory_order_release);
    }

private:
    alignas(64) Atomic<std::uint64_t> busy_{0}; // a bit each
    Atomic<std::uint32_t> count_{0};            // of them, at least as many whenever the lock is free
    Message messages_[places];
};

} // namespace parley::messaging
