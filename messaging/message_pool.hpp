// SPDX-License-Identifier: MIT
// One process's spare messages. It takes from a list of its own; receivers push messages back on a stack
// without a lock. The owner empties that stack as a whole (exchange), so a push can never be fooled by a
// reused message.
#pragma once

#include "messaging/message.hpp"

namespace parley::messaging {

class MessagePool {
public:
    static constexpr std::uint32_t enough = 32; // more than this go back to the heap

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

    // Anyone. False: the pool has enough, the message stays with the caller.
    bool give_back(Message& message)
    {
        if (returned_count_.load(std::memory_order_relaxed) >= enough)
            return false;
        returned_count_.fetch_add(1, std::memory_order_relaxed);
        Message* top = returned_.load(std::memory_order_relaxed);
        do
            message.next = top;
        while (!returned_.compare_exchange_weak(top, &message, std::memory_order_acq_rel,
                                                std::memory_order_relaxed));
        return true;
    }

    // What the owner had kept; it has ended.
    Message* take_kept()
    {
        Message* const first = kept_;
        kept_ = nullptr;
        return first;
    }

    // All that has come back. Owner, or anyone once the owner has ended. Acquire pairs with the push in
    // give_back().
    Message* empty_stack()
    {
        returned_count_.store(0, std::memory_order_relaxed);
        return returned_.exchange(nullptr, std::memory_order_acq_rel);
    }

private:
    Message* kept_ = nullptr;
    alignas(64) Atomic<Message*> returned_{nullptr};
    Atomic<std::uint32_t> returned_count_{0};
};

} // namespace parley::messaging
