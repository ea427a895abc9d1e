// SPDX-License-Identifier: MIT
// Where one process's Active Messages lie until it polls: requests and replies apart, so that a reply never
// waits behind a request. Each of the two is a mailbox over a port of its own, which is of the design's
// class, with the design's arguments; nothing is ever posted there, so a message is kept only where a sender
// found the port full. A message has its bytes in the port's entry, where that has room, or inside its own
// memory; no Transfer knows of it.
#pragma once

#include "messaging/mailbox.hpp"

namespace parley::messaging {

template <class P = Port, class S = Synchronization>
class ActiveQueues {
public:
    using Queue = Mailbox<P, S>;

    // `number`: of two locks that no other mailbox has.
    ActiveQueues(P& requests, P& replies, Waiter<S>& owner, const sched::States& states, unsigned number)
        : requests_(requests, owner), replies_(replies, owner)
    {
        requests_.equip(states, number);
        replies_.equip(states, number + 1);
        owner.record().active_requests.store(requests_.shown_to_monitor(), std::memory_order_release);
        owner.record().active_replies.store(replies_.shown_to_monitor(), std::memory_order_release);
    }

    // Owner, which is about to wait for something else: what has come comes to rest, where a monitor finds
    // it. Errors: killed.
    Result<void> show()
    {
        TRY_VOID(requests_.empty_port());
        return replies_.empty_port();
    }

    Queue& requests() { return requests_; }
    Queue& replies() { return replies_; }
    // Types of replies are odd.
    Queue& of(long type) { return (type & 1) != 0 ? replies_ : requests_; }

private:
    Queue requests_;
    Queue replies_;
};

} // namespace parley::messaging
