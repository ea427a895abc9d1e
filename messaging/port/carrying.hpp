// SPDX-License-Identifier: MIT
// A ring like CircularPort's whose entries carry short messages whole, and say of longer ones where their
// bytes are: on a machine where one cache line costs more than all the instructions of a message, a receiver
// touches no other. An entry is its own doorbell. How far the receiver is, senders ask only when they have
// come to the limit that followed from its last answer: once a lap, where it keeps up with them.
//   put   S1 is the next number within the limit, or within a new one?  S2 draw it  S3 fill its entry, and
//         number it
//   take  R1 has the next entry its number? read it  R2 go on to the next, and say so
#pragma once

#include "messaging/message/carried.hpp"
#include "messaging/port.hpp"

#include <string_view>

namespace parley::messaging {

class CarryingPort final : public Port {
public:
    static constexpr std::string_view name = "carrying";
    static constexpr std::string_view promise =
        "as circular; a message of up to 100 bytes crosses in two cache lines";
    static constexpr std::uint32_t capacity = 64;

    Message* put(MessageMemory& message, Envelope envelope) override
    {
        std::uint64_t drawn = drawn_.load(std::memory_order_acquire); // pairs with S2: so new is the limit
        // Both lines are on their way while the number is drawn.
        __builtin_prefetch(&entry_of(drawn + 1), 1);
        if (envelope.length() > Carried::in_first_line)
            __builtin_prefetch(&entry_of(drawn + 1).bytes[Carried::in_first_line], 1);
        do {
            if (!is_within_limit(drawn)) // S1
                return &message.open(envelope);
        } while (!drawn_.compare_exchange_weak(drawn, drawn + 1, std::memory_order_acq_rel,
                                               std::memory_order_acquire)); // S2
        Carried& entry = entry_of(drawn + 1);
        entry.load(message, envelope);
        // S3: pairs with R1
        entry.number.store(static_cast<std::uint32_t>(drawn + 1), std::memory_order_release);
        return nullptr;
    }

    ReceiveStatus take(unsigned turns) override
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + 1;
        const Carried& entry = entry_of(number);
        while (entry.number.load(std::memory_order_acquire) != static_cast<std::uint32_t>(number)) // R1
            if (turns-- == 0)
                return std::unexpected(Error::not_found);
        last_.store(number, std::memory_order_release); // R2: pairs with S1
        taken_ = &entry.message();
        carried_ = entry.is_whole() ? &entry : nullptr;
        return entry.envelope;
    }

private:
    // All entries but the one that was taken last, which stays as it is.
    static constexpr std::uint64_t reach = capacity - 1;

    // Acquire pairs with R2, directly or through the sender that has moved the limit: so the entry has been
    // read (R1) before S3 fills it again. A limit that another sender sets back is only asked for again.
    bool is_within_limit(std::uint64_t drawn)
    {
        if (drawn < limit_.load(std::memory_order_acquire))
            return true;
        const std::uint64_t limit = last_.load(std::memory_order_acquire) + reach;
        limit_.store(limit, std::memory_order_release);
        return drawn < limit;
    }

    Carried& entry_of(std::uint64_t number) { return entries_[number % capacity]; }

    Atomic<std::uint64_t> last_{0}; // the number taken last; written under the endpoint's lock
    alignas(64) Atomic<std::uint64_t> limit_{reach};
    Atomic<std::uint64_t> drawn_{0};
    Carried entries_[capacity];
};

} // namespace parley::messaging
