// SPDX-License-Identifier: MIT
// crecv and crecvp where their short way (endpoint.hpp) does not do: for a message with bytes, one that is
// not the first in the port, or one that has not come yet. The process itself calls this.
#pragma once

#include "messaging/message/carried.hpp"
#include "messaging/progress.hpp"

namespace parley::messaging {

// Attributes: as in sender.hpp.
template <class F>
class Receiver {
public:
    // `place`: where it is told where a receive's bytes are.
    Receiver(Peer<F>& self, Router<F>& router, typename F::Transfer& transfer,
             Budget<typename F::Synchronization>& budget, unsigned long& place)
        : self_(self), progress_(self, router, transfer, budget), transfer_(transfer), place_(place)
    {
    }
    void bind(const Binding& binding) { posts_receives_ = binding.posts_receives; }

    // What its process does whenever it waits.
    Progress<F>& progress() { return progress_; }

    // Another program begins: a receive that the last one has left behind is in no list any more.
    void reset()
    {
        own_.state.move(ReceiveState::idle, std::memory_order_relaxed);
        own_.message = nullptr;
    }

    // What must be right about a receive before anything else. Errors: bad_length, and those of the Transfer.
    Result<void> check(const ReceiveArguments& arguments, Want want)
    {
        if (!Envelope::is_length(arguments.maximum))
            return std::unexpected(Error::bad_length);
        return transfer_.check(arguments, want);
    }

    static Selector selector_of(const ReceiveArguments& arguments)
    {
        return {static_cast<std::int32_t>(arguments.typesel), arguments.from, arguments.mask};
    }

    // The mailbox's lock is passed to this. `taken` is what the port has answered: a message that has bytes
    // or is not named, or nothing.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_taken(const ReceiveArguments& arguments,
                                                                WaitReason reason, ReceiveStatus taken)
    {
        self_.mailbox.assert_held();
        if (!taken)
            return receive_locked(arguments, reason);
        if (const Carried* const carried = self_.mailbox.carried())
            if (suits(arguments, taken.envelope()) && !trace::reads_messages)
                return receive_carried(arguments, *carried);
        Message& message = self_.mailbox.open(taken.envelope());
        if (!suits(arguments, message) || message.protocol() != nullptr)
            return receive_another(arguments, reason, message);
        self_.mailbox.unlock(self_.waiter.party());
        trace::matched(message);
        return progress_.accept(message, {arguments.buffer}, place_);
    }

    // The mailbox's lock was somebody else's. Errors: also killed.
    [[gnu::noinline]] ReceiveStatus receive_after_contention(const ReceiveArguments& arguments,
                                                             WaitReason reason)
    {
        if (!self_.mailbox.lock(self_.waiter.party()))
            return std::unexpected(Error::killed);
        return receive_locked(arguments, reason);
    }

    // The mailbox's lock is passed to this.
    [[gnu::always_inline]] ReceiveStatus receive_fully(const ReceiveArguments& arguments, WaitReason reason)
    {
        self_.mailbox.assert_held();
        return receive_locked(arguments, reason);
    }

private:
    // Afterwards the mailbox's lock is free. A message that is to be accepted at once never makes the receive
    // more than idle.
    [[gnu::noinline]] ReceiveStatus receive_locked(const ReceiveArguments& arguments, WaitReason reason)
        RELEASE(self_.mailbox)
    {
        own_.selector = selector_of(arguments);
        own_.buffer = {arguments.buffer};
        own_.maximum = static_cast<std::uint64_t>(arguments.maximum);
        const WaitDetails details{reason, arguments.typesel, arguments.maximum, own_.selector.peer(), true};
        for (;;) {
            const std::uint32_t seen = self_.waiter.sequence();
            if (Message* const message = self_.mailbox.search(own_, posts_receives_))
                return progress_.accept(*message, {arguments.buffer}, place_);
            if (!own_.state.is(ReceiveState::idle) && !own_.state.is(ReceiveState::posted))
                return await_end(details);
            Result<void> waited;
            if (self_.mailbox.has_matched())
                waited = progress_.advance();
            if (waited)
                waited = self_.waiter.wait(details, seen);
            if (!waited || !self_.mailbox.lock(self_.waiter.party()))
                return end(waited ? std::unexpected(Error::killed) : waited);
        }
    }

    static bool suits(const ReceiveArguments& arguments, const Envelope& envelope)
    {
        return selector_of(arguments).takes(envelope) &&
               envelope.length() <= static_cast<std::uint64_t>(arguments.maximum);
    }

    // Afterwards the mailbox's lock is free. The message's own memory stays untouched: its envelope is all
    // that its sender wants back.
    [[gnu::noinline]] ReceiveStatus receive_carried(const ReceiveArguments& arguments, const Carried& carried)
        RELEASE(self_.mailbox)
    {
        if (carried.is_alone())
            return receive_alone(arguments, carried);
        carried.unload(copy_);
        self_.mailbox.unlock(self_.waiter.party());
        return progress_.accept(copy_, {arguments.buffer}, place_);
    }

    // Does this for a message that has no memory: its sender wants nothing back.
    ReceiveStatus receive_alone(const ReceiveArguments& arguments, const Carried& carried)
        RELEASE(self_.mailbox)
    {
        const Envelope envelope = carried.envelope;
        if (envelope.length() != 0)
            carried.unload(copy_);
        self_.mailbox.unlock(self_.waiter.party());
        return progress_.accept_copy(copy_, envelope, {arguments.buffer}, place_);
    }

    // What has come out of the port is not for this receive, or not whole.
    [[gnu::noinline]] ReceiveStatus receive_another(const ReceiveArguments& arguments, WaitReason reason,
                                                    Message& message) RELEASE(self_.mailbox)
    {
        self_.mailbox.settle(message);
        return receive_locked(arguments, reason);
    }

    // The receive has its message, which is not whole or which others have found for it, or has failed.
    [[gnu::noinline]] ReceiveStatus await_end(const WaitDetails& details)
    {
        return end(progress_.await(details, [this] { return own_.has_ended(); }));
    }

    // The wait is over, and so is the receive.
    [[gnu::noinline]] ReceiveStatus end(const Result<void>& waited)
    {
        if (!waited)
            self_.mailbox.withdraw(own_);
        const ReceiveStatus found = result(waited);
        own_.state.move(ReceiveState::idle, std::memory_order_relaxed);
        return found;
    }

    // A receive that has ended in the very moment when the wait for it failed has ended, but for a process
    // that must end.
    ReceiveStatus result(const Result<void>& waited)
    {
        if (!waited && (waited.error() == Error::killed || !own_.has_ended()))
            return std::unexpected(waited.error());
        if (own_.state.is(ReceiveState::failed))
            return std::unexpected(own_.error);
        place_ = own_.buffer.value;
        return own_.received;
    }

    bool posts_receives_ = false;
    Peer<F>& self_;
    Progress<F> progress_;
    typename F::Transfer& transfer_;
    unsigned long& place_;
    Receive own_;    // of the call that takes the full way
    Message copy_{}; // of one that a port carries
};

} // namespace parley::messaging
