// SPDX-License-Identifier: MIT
// Memory of a port's own, for messages that it carries without their senders' memory: a message that its
// taker keeps for later is written into a slot here. The takers of a port take slots; whoever is done with
// such a message gives its slot back.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/port.hpp"
#include "messaging/port/carried.hpp"

#include <bit>
#include <cstdint>

namespace parley::messaging {

// `Entry`: of the port (carried.hpp).
template <unsigned Slots, class Entry = Carried>
class Reserve {
public:
    static constexpr unsigned slots = Slots;
    static_assert(slots >= 1 && slots <= 64, "a slot is a bit of a word");

    Reserve()
    {
        for (Message& message : messages_)
            message.set_held();
    }

    // How many slots are free at least; more may come back at any time. Acquire pairs with the count in
    // give_back(): who knows that one is free, and the taker who hears of it, see that the slot is free.
    unsigned spare() const { return slots - count_.load(std::memory_order_acquire); }
    // Takes a free slot. There is one (spare()). Acquire pairs with the release in give_back().
    Message& take(MailboxHeld)
    {
        assert_that([&] { return spare() != 0; });
        const auto slot = static_cast<unsigned>(std::countr_one(busy_.load(std::memory_order_acquire)));
        busy_.fetch_or(std::uint64_t{1} << slot, std::memory_order_relaxed);
        count_.fetch_add(1, std::memory_order_relaxed);
        return messages_[slot];
    }
    // Does the same; the message then has all that the taken entry carries, for its taker keeps it for later.
    Message& hold(MailboxHeld held, const Taken& taken)
    {
        Message& message = take(held);
        const Envelope envelope = taken.envelope();
        message.write(envelope.without_home());
        message.set_slot(static_cast<std::uint8_t>(envelope.home())); // in its sender's pool, to go back to
        message.data = message.space;
        copy_short(message.space, taken.bytes(), envelope.length());
        return message;
    }
    // Anyone gives back a slot that take() or hold() has answered.
    void give_back(const MessageMemory& memory)
    {
        const std::uint64_t mine = std::uint64_t{1} << (static_cast<const Message*>(&memory) - messages_);
        const std::uint64_t before = busy_.fetch_and(~mine, std::memory_order_release);
        assert_that([&] { return (before & mine) != 0; });
        count_.fetch_sub(1, std::memory_order_release);
    }

private:
    // Copies whole cache lines, so that no length is looked at often; source and destination are long enough.
    // Lines in which nothing lies are left alone; a message that is too long for the entry has a reference
    // there, in the first line.
    static void copy_short(std::byte* to, const std::byte* from, std::size_t length)
    {
        constexpr std::size_t first = Entry::in_first_line, all = sizeof(Entry::bytes);
        constexpr std::size_t two_lines = first + 64 < all ? first + 64 : all;
        __builtin_memcpy(to, from, first);
        if (length <= first || length > Entry::room)
            return;
        __builtin_memcpy(to + first, from + first, two_lines - first);
        if (length > two_lines)
            __builtin_memcpy(to + two_lines, from + two_lines, all - two_lines);
    }
    static_assert(sizeof(Entry::bytes) <= sizeof(Message::space));

    alignas(64) Atomic<std::uint64_t> busy_{0}; // a bit each
    Atomic<std::uint32_t> count_{0};            // of them, at least as many whenever the lock is free
    Message messages_[slots];
};

} // namespace parley::messaging
