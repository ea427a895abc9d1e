// SPDX-License-Identifier: MIT
// A ring of message pointers with an index allocator (compare-and-swap) and no lock an entry.
//   claim    S1 is the next index below the limit?  S2 draw it    publish  S3 fill its entry
//   take     R1 read the entry   R2 go on to the next             R3 move the limit
// An entry tells by its lowest bit in which round it was filled, so takers need not empty it: its cache line
// moves from the sender to the receiver and back, once each. R3 comes once for several entries, or as soon as
// a sender has found no room: the limit's line is the senders'.
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
        place = tail_.load(std::memory_order_acquire); // pairs with S2: the limit is as new as the index
        do {
            // S1: acquire pairs with R3, so the entry has been read (R1) before S3 fills it again.
            if (limit_.load(std::memory_order_acquire) == place) [[unlikely]] {
                wanted_.store(true, std::memory_order_relaxed); // who takes next sees it: we, under the lock
                return false;
            }
            // S2
        } while (!tail_.compare_exchange_weak(place, place + 1, std::memory_order_acq_rel,
                                              std::memory_order_acquire));
        return true;
    }

    void publish(std::uint32_t place, Message& message)
    {
        const std::uint64_t entry = reinterpret_cast<std::uint64_t>(&message) | round_of(place);
        entries_[place % capacity].store(entry, std::memory_order_release); // S3: pairs with R1
    }

    Message* take() override
    {
        // R1: pairs with S3
        const std::uint64_t message =
            entries_[head_ % capacity].load(std::memory_order_acquire) ^ round_of(head_);
        if (message % 2 != 0) {
            if (wanted_.load(std::memory_order_relaxed))
                move_limit();
            return nullptr;
        }
        if (++head_ % batch == 0 || wanted_.load(std::memory_order_relaxed)) [[unlikely]] // R2
            move_limit();
        return reinterpret_cast<Message*>(message);
    }

    Bell bell() const override
    {
        const Atomic<std::uint64_t>& entry = entries_[head_ % capacity];
        const std::uint64_t old_round = round_of(head_) ^ 1; // also when the message is there by now
        return {&entry, (entry.load(std::memory_order_relaxed) & ~std::uint64_t{1}) | old_round};
    }

private:
    static constexpr std::uint32_t batch = 16;

    // 1 and 0 by turns, beginning with 1: new entries are zero.
    static std::uint64_t round_of(std::uint32_t place) { return ~place / capacity % 2; }

    // R3: pairs with S1
    void move_limit()
    {
        wanted_.store(false, std::memory_order_relaxed);
        limit_.store(head_ + capacity, std::memory_order_release);
    }

    alignas(64) Atomic<std::uint32_t> limit_{capacity};
    Atomic<std::uint32_t> tail_{0};
    alignas(64) std::uint32_t head_ = 0; // guarded by the endpoint's lock
    Atomic<bool> wanted_{false};
    alignas(64) Atomic<std::uint64_t> entries_[capacity] = {};
};

} // namespace parley::messaging
