// SPDX-License-Identifier: MIT
// One process's spare messages. Those that belong to a pool have a place in it for good, and come back as one
// bit of a word, so that neither side touches a message's own memory for that. Others come from the heap and
// go there.
#pragma once

#include "messaging/message.hpp"

#include <bit>

namespace parley::messaging {

class MessagePool {
public:
    // Owner only, as all that takes. Whether a place is at hand; if not, fetch those that have come back.
    [[gnu::always_inline]] bool has_kept() const { return kept_ != 0; }
    void fetch_returned()
    {
        if (returned_.load(std::memory_order_seq_cst) != 0)
            kept_ = returned_.exchange(0, std::memory_order_seq_cst);
    }

    // The place of a message that is the caller's from now on. There must be one at hand.
    [[gnu::always_inline]] std::uint64_t take_place()
    {
        const auto place = static_cast<std::uint64_t>(std::countr_zero(kept_));
        kept_ &= kept_ - 1;
        return place;
    }

    Message& at(std::uint64_t place) { return *messages_[place]; }

    // Null when there is none.
    Message* take()
    {
        if (!has_kept())
            fetch_returned();
        if (has_kept())
            return &at(take_place());
        Message* const message = spare_;
        spare_ = nullptr;
        return message;
    }

    // One that it took and could not use. Nothing has become free, so nobody needs to hear of it.
    void keep(Message& message)
    {
        if (message.place != 0)
            kept_ |= bit(message.place);
        else
            spare_ = &message; // the only one: take() had no other
    }

    // A new message gets a place if one is free.
    void adopt(Message& message)
    {
        const std::uint32_t used = used_.load(std::memory_order_acquire);
        const int place = std::countr_one(used);
        message.place = place == places ? 0 : static_cast<std::uint8_t>(place);
        if (message.place == 0)
            return;
        messages_[message.place] = &message;
        used_.fetch_or(bit(message.place), std::memory_order_relaxed);
    }

    // Anyone, a message of this pool. Release pairs with fetch_returned(). And either empty() finds the
    // message, or acquire lets us see that the owner has ended; and either its owner finds it, or we see that
    // the owner waits for budget.
    void give_back(std::uint32_t place) { returned_.fetch_or(bit(place), std::memory_order_seq_cst); }

    // When it ends: one that it had kept, or null.
    Message* give_up()
    {
        Message* const message = kept_ != 0 || spare_ != nullptr ? take() : nullptr;
        if (message != nullptr && message->place != 0)
            used_.fetch_and(~bit(message->place), std::memory_order_release);
        return message;
    }

    // What has come back to an owner that has ended, by anyone: each is passed to `free` and has no place any
    // more. Those still on their way keep theirs, for the next owner.
    template <class Free>
    void empty(Free free)
    {
        for (std::uint32_t rest = returned_.exchange(0, std::memory_order_seq_cst); rest != 0;
             rest &= rest - 1) {
            Message* const message = messages_[std::countr_zero(rest)];
            used_.fetch_and(~bit(message->place), std::memory_order_release);
            free(*message);
        }
    }

private:
    static constexpr int places = 32; // that numbered 0 is nobody's

    static std::uint32_t bit(std::uint32_t place) { return std::uint32_t{1} << place; }

    std::uint64_t kept_ = 0;        // as the words below, but so its use takes fewer steps
    Atomic<std::uint32_t> used_{1}; // places
    Message* spare_ = nullptr;      // one without a place that could not be used
    Message* messages_[places] = {};
    alignas(64) Atomic<std::uint32_t> returned_{0};
};

} // namespace parley::messaging
