// SPDX-License-Identifier: MIT
// A ring of message pointers with a fetch-and-add index allocator and no lock an entry. A credit is one empty
// entry: who holds a credit may draw an index, and the entry of that index is empty by then.
//   claim    S1 draw a credit   S2 draw an index      publish  S3 fill the entry
//   take     R1 read the entry  R2 empty it           R3 give the credit back
#pragma once

#include "messaging/atomic.hpp"
#include "messaging/port.hpp"

#include <string_view>

namespace parley::messaging {

class CircularPort final : public Port {
public:
    static constexpr std::string_view name = "circular";
    static constexpr std::string_view promise =
        "no lock on the senders' way in; messages leave in the order of claims";
    static constexpr std::uint32_t capacity = 256;

    bool claim(std::uint32_t& place) override
    {
        // S1: acquire pairs with R3, so the entry's emptying (R2) is seen before S3 fills it.
        if (credits_.fetch_sub(1, std::memory_order_acquire) <= 0) {
            credits_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        place = tail_.fetch_add(1, std::memory_order_relaxed); // S2
        return true;
    }

    void publish(std::uint32_t place, Message& message) override
    {
        entries_[place % capacity].store(&message, std::memory_order_release); // S3: pairs with R1
    }

    Message* take() override
    {
        Atomic<Message*>& entry = entries_[head_ % capacity];
        Message* const message = entry.load(std::memory_order_acquire); // R1: pairs with S3
        if (message == nullptr)
            return nullptr;
        entry.store(nullptr, std::memory_order_relaxed); // R2
        ++head_;
        credits_.fetch_add(1, std::memory_order_release); // R3: pairs with S1
        return message;
    }

private:
    alignas(64) Atomic<std::int32_t> credits_{capacity};
    Atomic<std::uint32_t> tail_{0};
    alignas(64) std::uint32_t head_ = 0; // guarded by the endpoint's lock
    Atomic<Message*> entries_[capacity] = {};
};

} // namespace parley::messaging
