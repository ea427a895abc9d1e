// SPDX-License-Identifier: MIT
// Memory of a port's own, for messages that it carries without their senders' memory: a message that its
// taker keeps for later is written into a slot here. The takers of a port take slots; whoever is done with
// such a message gives its slot back.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/port.hpp"
#include "messaging/port/carried.hpp"
#include "messaging/port_memory.hpp"

#include <bit>
#include <cstdint>
#include <new>

namespace parley::messaging {

// The memory of a reserve's slots, and a bit of each that says that it is busy: inside the port.
template <unsigned Count>
class SlotsInPort {
public:
    SlotsInPort()
    {
        for (Message& message : messages_)
            message.set_held();
    }
    static constexpr unsigned count() { return Count; }
    Message* messages() { return messages_; }
    Atomic<std::uint64_t>* busy() { return busy_; }

private:
    alignas(64) Atomic<std::uint64_t> busy_[(Count + 63) / 64]{};
    Message messages_[Count];
};

// In the job's budget; how many there are is a power of two.
class SlotsInBudget {
public:
    // Makes the slots. Called once. False: there is no memory.
    bool make(const PortParts& parts, std::uint64_t count)
    {
        const Result<std::byte*> messages = parts.allocate(count * sizeof(Message));
        const Result<std::byte*> words = parts.allocate(words_of(count) * sizeof(Atomic<std::uint64_t>));
        if (!messages || !words)
            return false;
        shift_ = static_cast<unsigned>(std::countr_zero(count));
        messages_ = reinterpret_cast<Message*>(*messages);
        for (std::uint64_t slot = 0; slot < count; ++slot)
            (new (messages_ + slot) Message)->set_held();
        busy_ = reinterpret_cast<Atomic<std::uint64_t>*>(*words);
        for (std::uint64_t word = 0; word < words_of(count); ++word)
            new (busy_ + word) Atomic<std::uint64_t>(0);
        return true;
    }
    static constexpr std::size_t bytes(std::uint64_t count)
    {
        return count * sizeof(Message) + words_of(count) * sizeof(Atomic<std::uint64_t>);
    }

    unsigned count() const { return 1u << shift_; }
    Message* messages() { return messages_; }
    Atomic<std::uint64_t>* busy() { return busy_; }

private:
    static constexpr std::uint64_t words_of(std::uint64_t count) { return (count + 63) / 64; }

    Message* messages_ = nullptr;
    Atomic<std::uint64_t>* busy_ = nullptr;
    unsigned shift_ = 0;
};

// `Slots`: one of these. `Entry`: of the port (carried.hpp).
template <class Slots, class Entry = Carried>
class Reserve {
public:
    Slots& slots() { return slots_; }

    // How many slots are free at least; more may come back at any time. Acquire pairs with the count in
    // give_back(): who knows that one is free, and the taker who hears of it, see that the slot is free.
    unsigned spare() const { return slots_.count() - count_.load(std::memory_order_acquire); }
    // Takes a free slot. There is one (spare()). Acquire pairs with the release in give_back().
    Message& take(MailboxHeld)
    {
        assert_that([&] { return spare() != 0; });
        unsigned word = 0;
        std::uint64_t busy = 0;
        while ((busy = slots_.busy()[word].load(std::memory_order_acquire)) == all_of(word))
            ++word;
        const auto bit = static_cast<unsigned>(std::countr_one(busy));
        // In this order: a taker that ends between the two leaves a slot less, and none too many.
        count_.fetch_add(1, std::memory_order_relaxed);
        slots_.busy()[word].fetch_or(std::uint64_t{1} << bit, std::memory_order_relaxed);
        return slots_.messages()[64 * word + bit];
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
        const auto slot = static_cast<unsigned>(static_cast<const Message*>(&memory) - slots_.messages());
        const std::uint64_t mine = std::uint64_t{1} << slot % 64;
        const std::uint64_t before = slots_.busy()[slot / 64].fetch_and(~mine, std::memory_order_release);
        assert_that([&] { return (before & mine) != 0; });
        count_.fetch_sub(1, std::memory_order_release);
    }

private:
    // The word whose slots are all busy.
    std::uint64_t all_of(unsigned word) const
    {
        const unsigned left = slots_.count() - 64 * word;
        return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }
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

    Slots slots_;
    // How many slots are busy, or more than that: a slot is counted before it is marked, and marked as free
    // before it is counted no more.
    alignas(64) Atomic<std::uint32_t> count_{0};
};

} // namespace parley::messaging
