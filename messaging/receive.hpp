// SPDX-License-Identifier: MIT
// A receive that has been posted: by irecv, or by a crecv that did not find its message at once.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "messaging/selector.hpp"
#include "messaging/state.hpp"

#include "assertion.hpp"

#include <cstdint>

namespace parley::messaging {

class Message;

enum class ReceiveState : std::uint32_t {
    idle,     // in no list: the owner's alone
    posted,   // in its mailbox's posted list, without a message
    engaged,  // in the engaged list: the protocol of its message is bringing the bytes
    matched,  // in the matched list: it has its message, and its owner has still to accept it
    finished, // it has received
    failed,   // it has its error
};

constexpr bool may_follow(ReceiveState now, ReceiveState next)
{
    switch (next) {
    case ReceiveState::idle: return true;
    case ReceiveState::posted: return now == ReceiveState::idle;
    case ReceiveState::engaged: return now == ReceiveState::posted;
    case ReceiveState::matched: return now == ReceiveState::posted || now == ReceiveState::engaged;
    case ReceiveState::finished: return now == ReceiveState::engaged || now == ReceiveState::matched;
    case ReceiveState::failed: return now != ReceiveState::finished;
    }
    return false;
}

// Invariant: while it is in one of its mailbox's lists, the mailbox's lock guards all of it, and `message` is
// null exactly while it is posted. In the other states, which rest(), finish() and fail() bring about, it is
// in no list, and its owner's alone. The release of `state` with which it ends pairs with has_ended().
struct Receive {
    State<ReceiveState> state{ReceiveState::idle};
    Error error{};         // of one that failed
    bool notifies = false; // the owner, by its end
    Selector selector;
    UserAddress buffer; // where the bytes go; when it has finished, where they are
    std::uint64_t maximum = 0;
    Message* message = nullptr;
    Receive* next = unlinked<Receive>(); // in the list that it is in
    Envelope received{};                 // of one that finished

    // Acquire pairs with the release in finish() and fail().
    bool has_ended() const
    {
        const ReceiveState now = state.load(std::memory_order_acquire);
        return now == ReceiveState::finished || now == ReceiveState::failed;
    }
    // It asks for nothing, whatever it has done before.
    void rest() { leave_lists(ReceiveState::idle, std::memory_order_relaxed); }
    // From its end on the receive is its owner's alone, who may look at it at once.
    void finish(const Envelope& envelope)
    {
        message = nullptr;
        received = envelope;
        leave_lists(ReceiveState::finished, std::memory_order_release);
    }
    void fail(Error why)
    {
        message = nullptr;
        error = why;
        leave_lists(ReceiveState::failed, std::memory_order_release);
    }

private:
    void leave_lists(ReceiveState to, std::memory_order order)
    {
        assert_that([&] { return next == unlinked<Receive>(); });
        state.move(to, order);
    }
};

// Receives of one mailbox that are in the same state, in the order of posting: GUARDED_BY the mailbox.
template <ReceiveState state>
class ReceiveList {
public:
    bool empty() const { return first_ == nullptr; }
    Receive* first() const { return first_; }

    void push_back(Receive& receive)
    {
        assert_that([&] { return receive.state.is(state); });
        assert_that([&] { return (receive.message == nullptr) == (state == ReceiveState::posted); });
        begin_link(receive.next);
        receive.next = nullptr;
        (last_ == nullptr ? first_ : last_->next) = &receive;
        last_ = &receive;
    }

    void remove_after(Receive* previous, Receive& receive)
    {
        (previous == nullptr ? first_ : previous->next) = receive.next;
        end_link(receive.next);
        if (last_ == &receive)
            last_ = previous;
    }

    // False: it is not in the list.
    bool remove(Receive& receive)
    {
        Receive* previous = nullptr;
        for (Receive* at = first_; at != nullptr; previous = at, at = at->next) {
            if (at != &receive)
                continue;
            remove_after(previous, receive);
            return true;
        }
        return false;
    }

    Receive* pop_front()
    {
        Receive* const receive = first_;
        if (receive != nullptr)
            remove_after(nullptr, *receive);
        return receive;
    }

private:
    Receive* first_ = nullptr;
    Receive* last_ = nullptr;
};

} // namespace parley::messaging
