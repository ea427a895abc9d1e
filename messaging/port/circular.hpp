// SPDX-License-Identifier: MIT
// A ring of messages with an allocator of numbers (compare-and-swap) and no lock an entry. Messages are
// numbered from 1 on, and an entry tells by its number that it holds that message; so takers need not empty
// it, and its cache line moves from the sender to the receiver and back, once each.
//   claim    S1 is the next number within the limit?  S2 draw it   publish  S3 fill its entry, and number it
//   take     R1 has the next entry its number? read it   R2 go on to the next       R3 move the limit
// R3 comes once for a batch of messages, because the limit's cache line is the senders'. The limit is a whole
// number of batches, so whoever empties a port that was full has moved the limit. One batch of entries is
// never filled, so the message that is being taken stays as it is.
#pragma once

#include "base/atomic.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port.hpp"

#include <new>
#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class CircularPort final : public Port {
public:
    static constexpr std::string_view name = "circular";
    static constexpr std::string_view promise =
        "no lock on the senders' way in; messages leave in the order of claims";
    static constexpr std::uint32_t slots = 256, batch = 16, capacity = slots - batch;

    bool put(unsigned, Envelope envelope, MessageMemory* memory) override
    {
        std::uint64_t number = 0;
        if (!claim(number)) {
            (void)memory->open(envelope);
            return false;
        }
        publish(number, memory, envelope);
        return true;
    }

    // The path of a message (README), 5, begins here.
    bool claim(std::uint64_t& number)
    {
        std::uint64_t drawn = drawn_.load(std::memory_order_acquire); // pairs with S2: the limit is as new
        do {
            // S1: acquire pairs with R3, so the entry has been read (R1) before S3 fills it again.
            if (limit_.load(std::memory_order_acquire) == drawn)
                return false;
            number = drawn + 1;
            // S2
        } while (!drawn_.compare_exchange_weak(drawn, number, std::memory_order_acq_rel,
                                               std::memory_order_acquire));
        return true;
    }

    void publish(std::uint64_t number, MessageMemory* memory, const Envelope& envelope)
    {
        Entry& entry = entry_of(number);
        entry.memory = memory;
        entry.envelope = envelope;
        entry.number.store(number, std::memory_order_release); // S3: pairs with R1
    }

    Taken take(MailboxHeld, unsigned looks) override
    {
        const std::uint64_t number = last_ + 1;
        Entry& entry = entry_of(number);
        if (!entry.holds(number) && !comes(entry, number, looks)) // R1
            return {};
        last_ = number; // R2
        if (number % batch == 0)
            move_limit(number);
        return {entry.envelope, entry.memory};
    }

    Watched watched(MailboxHeld) const override { return {&entries_[(last_ + 1) % slots].number, last_ + 1}; }

private:
    // An entry is half a cache line: what crosses with a message that has no bytes.
    struct alignas(32) Entry {
        Atomic<std::uint64_t> number{0};
        MessageMemory* memory = nullptr;
        Envelope envelope;

        // Acquire pairs with S3.
        bool holds(std::uint64_t wanted) const { return number.load(std::memory_order_acquire) == wanted; }
    };

    static_assert(capacity % batch == 0);

    // The address is laundered, because else the compiler computes it twice.
    Entry& entry_of(std::uint64_t number) { return *std::launder(&entries_[number % slots]); }

    static bool comes(const Entry& entry, std::uint64_t number, unsigned looks)
    {
        for (; looks > 0; --looks) {
            if (entry.holds(number))
                return true;
            platform::between_looks();
        }
        return false;
    }

    // R3: pairs with S1
    void move_limit(std::uint64_t taken) { limit_.store(taken + capacity, std::memory_order_release); }

    alignas(64) std::uint64_t last_ = 0; // the number taken last; guarded by the mailbox's lock
    alignas(64) Atomic<std::uint64_t> limit_{capacity};
    Atomic<std::uint64_t> drawn_{0};
    alignas(64) Entry entries_[slots];
};

} // namespace parley::messaging
