// SPDX-License-Identifier: MIT
// What "delivered" means to one sender: its messages come back to its pool, or are counted by a completion,
// and it hears of that when it waits for it or has ended. A csend to one process waits until its message has
// come back; a csend to several, and a process that has lent buffers, until a completion is reached.
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

    // The sender's own, as the pool says; but anyone gives a message back that is accepted or dropped, then
    // looks at the sender's status, and calls come_back() unless that is ordinary. Both are sequentially
    // consistent: of sender and caller one sees the other.
    MessagePool& pool() { return pool_; }
    // The messages of its csend that waits for several; and those whose buffers csend has lent, which must be
    // delivered before the process may end.
    Completion& awaited() { return awaited_; }
    Completion& lent() { return lent_; }
    const Completion& lent() const { return lent_; }

    // Anyone, of a message that counts on something.
    void count(Completion& completion)
    {
        const bool notifies = completion.notifies();
        completion.count();
        sender_.signal();
        if (notifies && sender_.status().notification() == Notification::armed)
            sender_.notify();
    }

    // A message has come back to its pool, and the status is out of the ordinary. Where the sender has ended:
    // of the return and the final emptying the later one frees the message, by `free`. Where it waits for a
    // delivery or for budget, which may be a message as well: this may be that. True: something was freed.
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

    // Sender. Until `delivered` holds: it is looked for first, and the status says that it is waited for
    // while `await` waits. Whoever delivers looks at the status afterwards, and here it is the other way
    // round.
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
