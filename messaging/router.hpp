// SPDX-License-Identifier: MIT
// Puts messages into the mailboxes of a job's processes, and gives them back to their senders when they
// are over. It has no state of its own. Any process may call it.
#pragma once

#include "messaging/memory/budget.hpp"
#include "messaging/peer.hpp"

namespace parley::messaging {

template <class F>
class Router {
public:
    using PeerType = Peer<F>;
    using BudgetType = Budget<typename F::Synchronization>;

    // `peers`: by the index of their endpoints.
    Router(PeerType* const* peers, typename F::Transfer& transfer, BudgetType& budget)
        : peers_(peers), transfer_(transfer), budget_(budget)
    {
    }

    // The process with this endpoint, which must exist.
    PeerType& peer(std::uint64_t index) const { return *peers_[index]; }

    // Puts a message into the mailbox of `at`; `caller` is the party of the calling process. Errors:
    // killed, the message still belongs to the caller; closed, the process there has been killed and the
    // message is dropped.
    Outcome put(Party& caller, PeerType& at, Message& message)
    {
        while (!at.mailbox.put(caller.number(), message, &message))
            TRY_VOID(at.mailbox.make_room(caller));
        if (at.waiter.announce())
            attend(caller, at);
        if (at.state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        return 0;
    }

    // A message has been put into the mailbox of `at`, whose status is not ordinary. Answers 0, so that a
    // send can end with this call.
    [[gnu::noinline]] long attend(Party& caller, PeerType& at)
    {
        at.waiter.wake();
        // Pairs with JobMessages::close(): if its signal came before ours we see the new state here;
        // otherwise it empties the port after our put.
        if (at.state() != EndpointState::live)
            discard_all(caller, at);
        // Pairs with the arming of the notification: if its signal came before ours we see it here; otherwise
        // the owner looks into its port after our put. The owner may be computing, so it is seen on its
        // behalf whether this is a message that it wants to be interrupted for. The message is out of the
        // sender's hands: a sender that must end has no error to tell.
        if (at.waiter.status().notification() == Notification::armed)
            (void)at.mailbox.drain(caller);
        return 0;
    }

    // A message has come back to the pool of its sender, whose status is not ordinary. Answers `found`, so
    // that a receive can end with this call and need not keep it.
    [[gnu::noinline]] ReceiveStatus come_back(PeerType& sender, ReceiveStatus found)
    {
        tell(sender);
        return found;
    }

    // The message has been accepted or dropped, and holds nothing. Its memory goes back to where it is
    // from, its delivery is counted, and its sender is signalled if it waits for that.
    [[gnu::noinline]] void complete(Message& message)
    {
        PeerType& sender = peer(message.source());
        if (Completion* const completion = message.completion())
            sender.delivery.count(*completion);
        message.forget();
        const bool is_held = message.is_held();
        if (message.slot() != 0)
            sender.delivery.pool().give_back(message.slot());
        else if (message.is_own())
            free_message(message);
        if (is_held)
            peer(message.destination).mailbox.release({message, &message});
        if (!sender.waiter.status().is_ordinary())
            tell(sender);
        budget_.freed();
    }

    // Nobody will receive this message.
    void discard(Message& message)
    {
        if (message.protocol() != nullptr && message.protocol()->refused(message))
            return; // its sender completes it
        drop(message);
    }
    // Nobody will receive this message, and no protocol knows of it.
    void drop(Message& message)
    {
        if (message.length() > 0)
            transfer_.drop(message);
        complete(message);
    }
    // The process of `at` has ended: this discards all messages that have reached it. A sender that has
    // put a message there after the end calls this, too.
    void discard_all(Party& caller, PeerType& at)
    {
        MessageList rest = at.mailbox.empty(caller);
        while (Message* const message = rest.pop_front())
            discard(*message);
        if (auto* const queues = at.active.load(std::memory_order_acquire)) {
            end_all_active(caller, queues->requests());
            end_all_active(caller, queues->replies());
        }
    }

    // Does the same, also with what is under way. A sender that has looked at the status before the end has
    // published its entry before that, and its store is about to be seen: a processor keeps none back,
    // whoever runs on it. So one look is enough that comes later than that; `looks`: how many are taken at
    // most. A sender that has not yet looked may lose its processor for any time: when it looks it sees the
    // end, and discards its message and those behind it. If it ends instead, whoever cleans up after it does
    // (JobMessages).
    void discard_all_under_way(Party& caller, PeerType& at, unsigned looks)
    {
        discard_all(caller, at);
        for (; looks > 0 && at.mailbox.is_under_way(); --looks) {
            (void)platform::SpinWait().once();
            discard_all(caller, at);
        }
    }

    // An Active Message that has come to rest in that queue is over.
    template <class Queue>
    void end_active(Queue& queue, Message& message)
    {
        if (message.is_held())
            queue.release({message, &message});
        else
            complete(message);
    }

    void free_message(MessageMemory& message)
    {
        budget_.heap().release(reinterpret_cast<std::byte*>(&message));
    }

private:
    template <class Queue>
    void end_all_active(Party& caller, Queue& queue)
    {
        MessageList rest = queue.empty(caller);
        while (Message* const message = rest.pop_front())
            end_active(queue, *message);
    }

    void tell(PeerType& sender)
    {
        if (sender.delivery.come_back([this](MessageMemory& message) { free_message(message); }))
            budget_.freed();
    }

    PeerType* const* peers_;
    typename F::Transfer& transfer_;
    BudgetType& budget_;
};

} // namespace parley::messaging
