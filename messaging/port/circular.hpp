// SPDX-License-Identifier: MIT
// A ring of message pointers with a fetch-and-add index allocator and no lock an entry. A credit is one empty
// entry: who holds a credit may draw an index, and the entry of that index is empty by then.
//   claim    S1 draw a credit   S2 draw an index      publish  S3 fill the entry
//   take     R1 read the entry  R2 empty it           R3 give credits back
// R3 comes once for several entries, or as soon as a sender has found no credit: the credits' cache line is
// the senders', and each message would move it there and back.
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

    bool put(Message& message) override
    {
        std::uint32_t place = 0;
        if (!claim(place)) [[unlikely]]
            return false;
        publish(place, message);
        return true;
    }

    // The path of a message (README), 5, begins here.
    bool claim(std::uint32_t& place)
    {
        // S1: acquire pairs with R3, so the entry's emptying (R2) is seen before S3 fills it.
        if (credits_.fetch_sub(1, std::memory_order_acquire) <= 0) {
            credits_.fetch_add(1, std::memory_order_relaxed);
            wanted_.store(true, std::memory_order_relaxed); // whoever takes next sees it: we, under the lock
            return false;
        }
        place = tail_.fetch_add(1, std::memory_order_relaxed); // S2
        return true;
    }

    void publish(std::uint32_t place, Message& message)
    {
        entries_[place % capacity].store(&message, std::memory_order_release); // S3: pairs with R1
    }

    Message* take() override
    {
        Atomic<Message*>& entry = entries_[head_ % capacity];
        Message* const message = entry.load(std::memory_order_acquire); // R1: pairs with S3
        if (message == nullptr) {
            if (wanted_.load(std::memory_order_relaxed))
                give_credits();
            return nullptr;
        }
        entry.store(nullptr, std::memory_order_relaxed); // R2
        if (++head_ % batch == 0 || wanted_.load(std::memory_order_relaxed)) [[unlikely]]
            give_credits();
        return message;
    }

private:
    static constexpr std::uint32_t batch = 16;

    void give_credits()
    {
        wanted_.store(false, std::memory_order_relaxed);
        // R3: pairs with S1
        credits_.fetch_add(static_cast<std::int32_t>(head_ - given_), std::memory_order_release);
        given_ = head_;
    }

    alignas(64) Atomic<std::int32_t> credits_{capacity};
    Atomic<std::uint32_t> tail_{0};
    alignas(64) std::uint32_t head_ = 0; // this and given_: guarded by the endpoint's lock
    std::uint32_t given_ = 0;            // how many credits have come back
    Atomic<bool> wanted_{false};
    Atomic<Message*> entries_[capacity] = {};
};

} // namespace parley::messaging
