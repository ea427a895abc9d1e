// SPDX-License-Identifier: MIT
// One process's spare messages. Those that belong to a pool have a place in it for good, and come back as one
// bit of a word, so that neither side touches a message's own memory for that. Others come from the heap and
// go there.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/message/message.hpp"

#include <bit>

namespace parley::messaging {

class MessagePool {
public:
    // Owner only, as all that takes. The message that will be taken next is known beforehand, so that a
    // sender finds the next one while the last is on its way.
    bool has_next() const { return next_home_ != 0; }
    MessageMemory& next() { return *next_; }
    // Its place, as in an envelope's word of its sender. 0: there is none.
    std::uint64_t next_home() const { return next_home_; }

    // The next message has been taken; find another.
    void advance()
    {
        if (kept_ != 0)
            choose_next();
        else
            next_home_ = 0;
    }

    // No next one is known: there may be some that have come back.
    void fetch_returned()
    {
        if (returned_.load(std::memory_order_seq_cst) != 0)
            kept_ |= returned_.exchange(0, std::memory_order_seq_cst);
        advance();
    }

    // Null when there is none.
    MessageMemory* take()
    {
        if (!has_next())
            fetch_returned();
        MessageMemory*& source = has_next() ? next_ : spare_;
        MessageMemory* const message = source;
        if (&source == &next_)
            advance();
        else
            spare_ = nullptr;
        return message;
    }

    // One that it took and could not use. Nothing has become free, so nobody needs to hear of it.
    void keep(MessageMemory& message)
    {
        if (message.place() != 0)
            kept_ |= bit(message.place());
        else
            spare_ = &message; // the only one: take() had no other
        if (!has_next())
            advance();
    }

    // Whether a new message would get a place.
    bool has_room() const { return ~used_.load(std::memory_order_acquire) != 0; }

    // A new message gets a place if one is free.
    void adopt(Message& message)
    {
        const std::uint32_t used = used_.load(std::memory_order_acquire);
        const int place = std::countr_one(used);
        message.set_place(place == places ? 0 : static_cast<std::uint8_t>(place));
        if (message.place() == 0)
            return;
        messages_[message.place()] = &message;
        used_.fetch_or(bit(message.place()), std::memory_order_relaxed);
    }

    // Anyone, a message of this pool. Release pairs with fetch_returned(). And either empty() finds the
    // message, or acquire lets us see that the owner has ended; and either its owner finds it, or we see that
    // the owner waits for it, or for budget.
    // The bit is not set, so it can be added: that takes the cache line once, where the emulator's `or` reads
    // it first, and then takes it.
    void give_back(std::uint32_t place)
    {
        const std::uint32_t before = returned_.fetch_add(bit(place), std::memory_order_seq_cst);
        assert_that([&] { return place != 0 && (before & bit(place)) == 0; });
    }

    // Owner only: whether a message that it took from this place has come back; until the next
    // fetch_returned(). Pairs with give_back(): either the owner sees it, or who gives it back sees that the
    // owner waits for that.
    bool has_returned(std::uint32_t place) const
    {
        return (returned_.load(std::memory_order_seq_cst) & bit(place)) != 0;
    }

    // When it ends: one that it had kept, or null.
    MessageMemory* give_up()
    {
        MessageMemory* const message = has_next() || spare_ != nullptr ? take() : nullptr;
        if (message != nullptr && message->place() != 0)
            used_.fetch_and(~bit(message->place()), std::memory_order_release);
        return message;
    }

    // What has come back to an owner that has ended, by anyone: each is passed to `free` and has no place any
    // more. Those still on their way keep theirs, for the next owner.
    template <class Free>
    void empty(Free free)
    {
        for (std::uint32_t rest = returned_.exchange(0, std::memory_order_seq_cst); rest != 0;
             rest &= rest - 1) {
            MessageMemory* const message = messages_[std::countr_zero(rest)];
            used_.fetch_and(~bit(message->place()), std::memory_order_release);
            free(*message);
        }
    }

private:
    static constexpr int places = 1 << Envelope::place_bits; // that numbered 0 is nobody's

    static std::uint32_t bit(std::uint32_t place) { return std::uint32_t{1} << place; }

    void choose_next()
    {
        // std::countr_zero asks again whether it is 0
        const auto place = static_cast<std::uint64_t>(__builtin_ctzll(kept_));
        kept_ &= kept_ - 1;
        next_ = messages_[place];
        next_home_ = Envelope::home_bits(place);
    }

    MessageMemory* next_ = nullptr;
    std::uint64_t next_home_ = 0;
    std::uint64_t kept_ = 0;         // as the words below, but so its use takes fewer steps; without the next
    Atomic<std::uint32_t> used_{1};  // places
    MessageMemory* spare_ = nullptr; // one without a place that could not be used
    MessageMemory* messages_[places] = {};
    alignas(64) Atomic<std::uint32_t> returned_{0};
};

} // namespace parley::messaging
