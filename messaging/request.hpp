// SPDX-License-Identifier: MIT
// A send or receive under way that has a message id. Only its owner allocates and frees it. Others touch it
// in two ways: a receiver counts `remaining` down, and whoever holds the owner's endpoint lock matches a
// posted receive.
#pragma once

#include "kernel/base/address.hpp"
#include "kernel/base/result.hpp"
#include "messaging/atomic.hpp"
#include "messaging/reply.hpp"
#include "messaging/selector.hpp"

#include <cstdint>

namespace parley::messaging {

struct Message;

enum class RequestState : std::uint32_t {
    free,
    sending,   // done when `remaining` is zero
    abandoned, // a cancelled send; free again when `remaining` is zero
    posted,    // a receive in the endpoint's posted list
    matched,   // a receive in the endpoint's matched list: it has its message, the bytes are not yet here
    granted,   // a receive in the endpoint's granted list: the sender is bringing the bytes (negotiation.hpp)
    finished,  // a receive that has found its message
    failed,    // a receive with its error
};

struct Request {
    // deliveries still to come; the last decrement (release) pairs with done() (acquire)
    Atomic<std::uint32_t> remaining{0};
    Atomic<RequestState> state{RequestState::free};
    std::uint32_t generation = 0;
    Error error{};
    Selector selector;
    UserAddress buffer;
    std::uint64_t maximum = 0;
    bool watched = false; // its end interrupts the owner; guarded by the endpoint's lock
    bool quiet = false;   // its deliveries interrupt nobody; set before it is under way
    Message* message = nullptr;
    Request* next = nullptr;
    Envelope found; // by a receive

    bool delivered() const { return remaining.load(std::memory_order_acquire) == 0; }
};

// Posted receives in the order of posting. Whoever uses it holds the endpoint's lock.
class RequestList {
public:
    bool empty() const { return first_ == nullptr; }
    Request* first() const { return first_; }

    void push_back(Request& request)
    {
        request.next = nullptr;
        Request** link = &first_;
        if (last_ != nullptr)
            link = &last_->next;
        *link = &request;
        last_ = &request;
    }

    void remove_after(Request* previous, Request& request)
    {
        (previous == nullptr ? first_ : previous->next) = request.next;
        if (last_ == &request)
            last_ = previous;
    }

    bool remove(Request& request)
    {
        Request* previous = nullptr;
        for (Request* at = first_; at != nullptr; previous = at, at = at->next) {
            if (at != &request)
                continue;
            remove_after(previous, request);
            return true;
        }
        return false;
    }

    Request* pop_front()
    {
        Request* const request = first_;
        if (request != nullptr)
            remove_after(nullptr, *request);
        return request;
    }

private:
    Request* first_ = nullptr;
    Request* last_ = nullptr;
};

} // namespace parley::messaging
