// SPDX-License-Identifier: MIT
// What "delivered" means to one sender: its messages come back to its pool, or are counted by a completion,
// and the sender is told when it waits for that or has ended. A csend to one process waits until its message
// has come back; a csend to several, and a process that has lent buffers, until a completion is reached.
#pragma once

#include "messaging/completion.hpp"
#include "messaging/message/message_pool.hpp"
#include "messaging/waiter.hpp"

#include "platform.hpp"

namespace parley::messaging {

template <class S = Synchronization>
class Delivery {
public:
    explicit Delivery(Waiter<S>& sender) : sender_(sender) { }

    // The sender takes messages from its pool. Anyone who has accepted or dropped a message gives it back
    // there, then looks at the sender's status, and calls come_back() unless that is ordinary. Both steps are
    // sequentially consistent: of sender and caller one sees the other.
    MessagePool& pool() { return pool_; }
    // Counts the messages of a csend that waits for several deliveries.
    Completion& awaited() { return awaited_; }
    // Counts those whose buffers csend has lent, which must be delivered before the process may end.
    Completion& lent() { return lent_; }
    const Completion& lent() const { return lent_; }

    // Anyone calls this once for each delivered message that counts on `completion`.
    void count(Completion& completion)
    {
        const bool notifies = completion.notifies();
        completion.count();
        sender_.signal();
        if (notifies && sender_.status().notification() == Notification::armed)
            sender_.notify();
    }

    // A message has come back to the pool, and the sender's status is not ordinary. If the sender has ended,
    // the later of this return and the final emptying frees the message, by `free`. If the sender waits for a
    // delivery, or for budget, this message may be what it waits for. True: the sender has ended.
    template <class Free>
    bool come_back(Free free)
    {
        const bool ended = sender_.state() != EndpointState::live;
        if (ended)
            pool_.empty(free);
        if (sender_.status().wants_returns())
            sender_.signal();
        return ended;
    }

    // The sender waits until `delivered` holds: it looks `spin_limit` times first, then its status says that
    // it waits while `await` waits. Whoever delivers does so and then looks at the status; the sender sets
    // its status and then looks. Errors: those of `await`.
    template <class Delivered, class Await>
    Result<void> wait_until(Delivered delivered, unsigned spin_limit, Await await)
    {
        for (; spin_limit > 0; --spin_limit) {
            if (delivered())
                return {};
            platform::between_looks();
        }
        sender_.status().set_wants_delivery(true);
        const Result<void> waited = await(delivered);
        sender_.status().set_wants_delivery(false);
        return waited;
    }

private:
    Waiter<S>& sender_;
    Completion awaited_;
    Completion lent_;
    MessagePool pool_;
};

} // namespace parley::messaging
