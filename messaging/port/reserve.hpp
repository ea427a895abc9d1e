// SPDX-License-Identifier: MIT
// Memory of a port's own, for messages that it carries without their senders' memory: a message that its
// taker keeps for later is written into a place here. The takers of a port take places; whoever is done with
// such a message gives its place back.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/port.hpp"
#include "messaging/port/carried.hpp"

#include <bit>
#include <cstdint>

namespace parley::messaging {

// `Entry`: of the port (carried.hpp).
template <unsigned Places, class Entry = Carried>
class Reserve {
public:
    static constexpr unsigned places = Places;
    static_assert(places >= 1 && places <= 64, "a place is a bit of a word");

    Reserve()
    {
        for (Message& message : messages_)
            message.set_held();
    }

    // How many places are free at least; more may come back at any time. Acquire pairs with the count in
    // give_back(): who knows that one is free, and the taker who hears of it, see that the place is free.
    unsigned spare() const { return places - count_.load(std::memory_order_acquire); }
    // Takes a free place. There is one (spare()). Acquire pairs with the release in give_back().
    Message& take(MailboxHeld)
    {
        assert_that([&] { return spare() != 0; });
        const auto place = static_cast<unsigned>(std::countr_one(busy_.load(std::memory_order_acquire)));
        busy_.fetch_or(std::uint64_t{1} << place, std::memory_order_relaxed);
        count_.fetch_add(1, std::memory_order_relaxed);
        return messages_[place];
    }
    // Does the same; the message then has all that the taken entry carries, for its taker keeps it for later.
    Message& hold(MailboxHeld held, const Taken& taken)
    {
        Message& message = take(held);
        const Envelope envelope = taken.envelope();
        message.write(envelope.without_home());
        message.set_place(static_cast<std::uint8_t>(envelope.home())); // in its sender's pool, to go back to
        message.data = message.space;
        copy_short(message.space, taken.bytes(), envelope.length());
        return message;
    }
    // Anyone gives back a place that take() or hold() has answered.
    void give_back(const MessageMemory& memory)
    {
        const std::uint64_t mine = std::uint64_t{1} << (static_cast<const Message*>(&memory) - messages_);
        const std::uint64_t before = busy_.fetch_and(~mine, std::memory_order_release);
        assert_that([&] { return (before & mine) != 0; });
        count_.fetch_sub(1, std::memory_order_release);
    }

private:
    // Copies whole cache lines, so that no length is looked at often; both places are long enough. Lines in
    // which nothing lies are left alone; a message that is too long for the entry has a reference, in the
    // first line.
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
    Message messages_[places];
};

} // namespace parley::messaging
