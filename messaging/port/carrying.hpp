// SPDX-License-Identifier: MIT
// A ring like CircularPort's whose entries carry short messages whole, and say of longer ones where their
// bytes are: on a machine where one cache line costs more than all the instructions of a message, a receiver
// touches no other. An entry is its own doorbell. How far the receiver is, senders ask only when they have
// come to the limit that followed from its last answer: once a lap, where it keeps up with them.
//   put   S1 is the next number within the limit, or within a new one?  S2 draw it  S3 fill its entry, and
//         number it
//   take  R1 has the next entry its number? read it  R2 go on to the next, and say so
//
// What a sender leaves here alone (put_copy) has no memory of its own, and whoever has to keep it for later
// takes some of the port's reserve. So only as many may be under way as there is reserve for: that is the
// second limit. With `last` the number taken last, all before it are received or kept; so of those up to
// last - 1 + (what is spare of the reserve then), each finds some, for each of them that is received or kept
// takes no more than one.
#pragma once

#include "messaging/message/carried.hpp"
#include "messaging/message/reserve.hpp"
#include "messaging/port.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class CarryingPort final : public Port {
public:
    static constexpr std::string_view name = "carrying";
    static constexpr std::string_view promise =
        "as circular; a message of up to 100 bytes crosses in two cache lines";
    static constexpr std::uint32_t capacity = 64;
    static constexpr bool copies = true;

    Message* put(MessageMemory& message, Envelope envelope) override
    {
        std::uint64_t number = 0;
        if (!draw(number, limit_, envelope.length()))
            return &message.open(envelope);
        Carried& entry = entry_of(number);
        entry.load(message, envelope);
        publish(entry, number);
        return nullptr;
    }

    bool put_copy(const Message* message, Envelope envelope) override
    {
        std::uint64_t number = 0;
        if (!draw(number, copy_limit_, envelope.length()))
            return false;
        Carried& entry = entry_of(number);
        entry.load_alone(message, envelope);
        publish(entry, number);
        return true;
    }

    ReceiveStatus take(unsigned turns) override
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + 1;
        const Carried& entry = entry_of(number);
        while (entry.number.load(std::memory_order_acquire) != static_cast<std::uint32_t>(number)) { // R1
            if (turns-- == 0)
                return std::unexpected(Error::not_found);
            platform::between_looks();
        }
        last_.store(number, std::memory_order_release); // R2: pairs with S1
        taken_ = entry.message();
        carried_ = entry.is_whole() ? &entry : nullptr;
        return entry.envelope;
    }

    Message& keep() override
    {
        Message& message = reserve_.take();
        carried_->unload(message);
        return message;
    }
    void give_back(const Message& message) override { reserve_.give_back(message); }

private:
    // All entries but the one that was taken last, which stays as it is.
    static constexpr std::uint64_t reach = capacity - 1;
    static_assert(Reserve::places == capacity);

    bool draw(std::uint64_t& number, const Atomic<std::uint64_t>& limit, std::uint32_t length)
    {
        std::uint64_t drawn = drawn_.load(std::memory_order_acquire); // pairs with S2: so new is the limit
        // The entry's line is on its way while the number is drawn. So is the one that a stream of such
        // messages fills next: it comes while this one goes. Not where two lines are filled: the receiver,
        // who looks at the first, would fetch both back.
        if (length <= Carried::in_first_line) {
            __builtin_prefetch(&entry_of(drawn + 1), 1);
            __builtin_prefetch(&entry_of(drawn + 2), 1);
        }
        do {
            // S1. Acquire pairs with R2, directly or through the sender that has moved the limit: so the
            // entry has been read (R1) before S3 fills it again.
            if (drawn >= limit.load(std::memory_order_acquire) && drawn >= ask_limit(limit))
                return false;
        } while (!drawn_.compare_exchange_weak(drawn, drawn + 1, std::memory_order_acq_rel,
                                               std::memory_order_acquire)); // S2
        number = drawn + 1;
        return true;
    }

    // A limit that another sender sets back is only asked for again.
    [[gnu::noinline]] std::uint64_t ask_limit(const Atomic<std::uint64_t>& which)
    {
        const std::uint64_t last = last_.load(std::memory_order_acquire);
        const std::uint64_t limit = last + reach, copy_limit = last - 1 + reserve_.spare();
        limit_.store(limit, std::memory_order_release);
        copy_limit_.store(copy_limit, std::memory_order_release);
        return &which == &limit_ ? limit : copy_limit;
    }

    // S3: pairs with R1
    static void publish(Carried& entry, std::uint64_t number)
    {
        entry.number.store(static_cast<std::uint32_t>(number), std::memory_order_release);
    }

    Carried& entry_of(std::uint64_t number) { return entries_[number % capacity]; }

    Atomic<std::uint64_t> last_{0}; // the number taken last; written under the endpoint's lock
    alignas(64) Atomic<std::uint64_t> limit_{reach};
    Atomic<std::uint64_t> copy_limit_{reach};
    Atomic<std::uint64_t> drawn_{0};
    Carried entries_[capacity];
    Reserve reserve_;
};

} // namespace parley::messaging
