// SPDX-License-Identifier: MIT
// One process's spare messages. It takes from a list of its own; receivers push messages back on a stack
// without a lock. The owner empties that stack as a whole (exchange), so a push can never be fooled by a
// reused message. Only so many messages belong to a pool for good; others come from the heap and go there.
#pragma once

#include "messaging/message.hpp"

namespace parley::messaging {

class MessagePool {
public:
    static constexpr std::uint32_t enough = 32;

    // Owner only. Null when there is none.
    Message* take()
    {
        if (kept_ == nullptr) [[unlikely]]
            kept_ = returned_.load(std::memory_order_relaxed) == nullptr ? nullptr : empty_stack();
        Message* const message = kept_;
        if (message != nullptr)
            kept_ = message->next;
        return message;
    }

    // Owner only: one that it took and could not use. Nothing has become free, so nobody needs to hear of it.
    void keep(Message& message)
    {
        message.next = kept_;
        kept_ = &message;
    }

    // Owner only: whether a new message shall be one of the pool's.
    bool adopt()
    {
        if (adopted_ == enough)
            return false;
        ++adopted_;
        return true;
    }

    // Anyone, a message of this pool.
    void give_back(Message& message)
    {
        Message* top = returned_.load(std::memory_order_relaxed);
        do
            message.next = top;
        while (!returned_.compare_exchange_weak(top, &message, std::memory_order_acq_rel,
                                                std::memory_order_relaxed));
    }

    // What the owner had kept; it has ended.
    Message* take_kept()
    {
        Message* const first = kept_;
        kept_ = nullptr;
        adopted_ = 0;
        return first;
    }

    // All that has come back. Owner, or anyone once the owner has ended. Acquire pairs with the push in
    // give_back().
    Message* empty_stack() { return returned_.exchange(nullptr, std::memory_order_acq_rel); }

private:
    Message* kept_ = nullptr;
    std::uint32_t adopted_ = 0;
    alignas(64) Atomic<Message*> returned_{nullptr};
};

} // namespace parley::messaging
