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
    // Owner only. Null when there is none.
    [[gnu::always_inline]] Message* take()
    {
        if (kept_ == 0) [[unlikely]]
            return take_returned();
        Message* const message = messages_[std::countr_zero(kept_)];
        kept_ &= kept_ - 1;
        if (message == nullptr)
            __builtin_unreachable(); // so that nobody asks again
        return message;
    }

    // Owner only: one that it took and could not use. Nothing has become free, so nobody needs to hear of it.
    void keep(Message& message)
    {
        if (message.pool_bit != 0)
            kept_ |= message.pool_bit;
        else
            spare_ = &message; // the only one: take() had no other
    }

    // Owner only: a new message gets a place if one is free.
    void adopt(Message& message)
    {
        const std::uint32_t used = used_.load(std::memory_order_acquire);
        message.pool_bit = ~used & (used + 1); // the lowest free one, or none
        if (message.pool_bit == 0)
            return;
        messages_[std::countr_zero(message.pool_bit)] = &message;
        used_.fetch_or(message.pool_bit, std::memory_order_relaxed);
    }

    // Anyone, a message of this pool. Release pairs with take_returned(). And either empty() finds the
    // message, or acquire lets us see that the owner has ended.
    void give_back(const Message& message)
    {
        returned_.fetch_or(message.pool_bit, std::memory_order_acq_rel);
    }

    // Owner only, when it ends: one that it had kept, or null.
    Message* give_up()
    {
        Message* const message = kept_ != 0 || spare_ != nullptr ? take() : nullptr;
        if (message != nullptr)
            used_.fetch_and(~message->pool_bit, std::memory_order_release);
        return message;
    }

    // What has come back to an owner that has ended, by anyone: each is passed to `free` and has no place any
    // more. Those still on their way keep theirs, for the next owner.
    template <class Free>
    void empty(Free free)
    {
        for (std::uint32_t rest = returned_.exchange(0, std::memory_order_acq_rel); rest != 0;
             rest &= rest - 1) {
            Message* const message = messages_[std::countr_zero(rest)];
            used_.fetch_and(~message->pool_bit, std::memory_order_release);
            free(*message);
        }
    }

private:
    [[gnu::noinline]] Message* take_returned()
    {
        if (returned_.load(std::memory_order_relaxed) != 0)
            kept_ = returned_.exchange(0, std::memory_order_acquire);
        if (kept_ != 0)
            return take();
        Message* const message = spare_;
        spare_ = nullptr;
        return message;
    }

    std::uint32_t kept_ = 0;
    Atomic<std::uint32_t> used_{0}; // places
    Message* spare_ = nullptr;      // one without a place that could not be used
    Message* messages_[32] = {};    // by the number of their bit
    alignas(64) Atomic<std::uint32_t> returned_{0};
};

} // namespace parley::messaging
