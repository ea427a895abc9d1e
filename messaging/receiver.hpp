// SPDX-License-Identifier: MIT
// crecv and crecvp, from the bound entry to the port: the short way, for the oldest message in the port, and
// where it goes on for one with bytes, one that is not the first in the port, or one that has not come yet.
// The process itself calls this.
#pragma once

#include "messaging/call_notes.hpp"
#include "messaging/progress.hpp"

namespace parley::messaging {

// Attributes: as in sender.hpp.
template <class F>
class Receiver {
public:
    using PeerType = Peer<F>;

    Receiver(PeerType& self, Router<F>& router, Progress<F>& progress, typename F::Transfer& transfer,
             CallNotes& notes)
        : self_(self), router_(router), progress_(progress), transfer_(transfer), notes_(notes)
    {
    }
    void bind(const Binding& binding, PeerType* const* peers)
    {
        peers_ = peers;
        checked_from_ = binding.checked_from;
        checked_blocks_from_ = binding.checked_blocks_from;
        spin_limit_ = binding.spin_limit;
        posts_receives_ = binding.posts_receives;
    }

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

    // What the short way does when it has a message without bytes: the lock is left, and the message's memory
    // goes back to its sender.
    struct OfMemory {
        static ReceiveStatus receive_otherwise(Receiver& receiver, const ReceiveArguments& arguments,
                                               WaitReason reason, Taken taken)
        {
            return receiver.receive_taken(arguments, reason, taken);
        }
        static ReceiveStatus end(Receiver& receiver, PeerType& self, const ReceiveStatus& found)
            RELEASE(self.mailbox)
        {
            if (self.mailbox.unlocks_in_steps()) {
                self.mailbox.pass_lock();
                return receiver.give_back_and_unlock(found);
            }
            self.mailbox.unlock_at_once();
            return receiver.give_back(found);
        }
    };
    // The same where ports have room: it may have none.
    struct OfPort {
        static ReceiveStatus receive_otherwise(Receiver& receiver, const ReceiveArguments& arguments,
                                               WaitReason reason, Taken taken)
        {
            return receiver.receive_from_port(arguments, reason, taken);
        }
        static ReceiveStatus end(Receiver& receiver, PeerType& self, const ReceiveStatus& found)
            RELEASE(self.mailbox)
        {
            if (found.envelope().home() != 0) {
                self.mailbox.pass_lock();
                return receiver.give_back_and_unlock(found);
            }
            self.mailbox.unlock(self.waiter.party());
            return found;
        }
    };

    // `self`: its own process, which the entry has at hand.
    template <class End>
    [[gnu::always_inline]] ReceiveStatus receive(PeerType& self, const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= checked_from_)
            return receive_checked<WaitReason::message, End>(arguments);
        return receive_shortly<WaitReason::message, End>(self, arguments);
    }
    template <class End>
    [[gnu::always_inline]] ReceiveStatus receive_block(PeerType& self, const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= checked_blocks_from_)
            return receive_checked<WaitReason::block, End>(arguments);
        return receive_shortly<WaitReason::block, End>(self, arguments);
    }

private:
    // The path of a message (README), 6: the oldest message in the port, which has no bytes and is named by
    // its type. The lock is kept while the port is looked at for what may come at once: others want it only
    // for a port that is full.
    template <WaitReason reason, class End>
    [[gnu::always_inline]] ReceiveStatus receive_shortly(PeerType& self, const ReceiveArguments& arguments)
    {
        if (!self.mailbox.enter())
            return receive_after_contention(arguments, reason);
        if (!self.mailbox.nothing_older()) {
            self.mailbox.pass_lock();
            return receive_fully(arguments, reason);
        }
        const Taken taken = self.mailbox.take(spin_limit_);
        const ReceiveStatus found = taken.envelope();
        if (!found.envelope().is_plain() || !selector_of(arguments).names(found.envelope())) {
            self.mailbox.pass_lock();
            return End::receive_otherwise(*this, arguments, reason, taken);
        }
        if (reason == WaitReason::block)
            notes_.note_block(arguments.buffer);
        return End::end(*this, self, found);
    }

    template <WaitReason reason, class End>
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_checked(const ReceiveArguments& arguments)
    {
        TRY_VOID(check(arguments, reason == WaitReason::block ? Want::block : Want::bytes));
        return receive_shortly<reason, End>(self_, arguments);
    }

    // The message has been received: its memory, or what stood for it, is its sender's again.
    [[gnu::always_inline]] ReceiveStatus give_back(const ReceiveStatus& found)
    {
        PeerType& sender = *peers_[found.envelope().source()];
        sender.delivery.pool().give_back(found.envelope().home());
        if (!sender.waiter.status().is_ordinary())
            return router_.come_back(sender, found);
        return found;
    }
    // The mailbox's lock is passed to this.
    [[gnu::noinline]] ReceiveStatus give_back_and_unlock(ReceiveStatus found)
    {
        self_.mailbox.assert_held();
        self_.mailbox.unlock(self_.waiter.party());
        return give_back(found);
    }

    // The mailbox's lock is passed to this. `taken` is what the port has answered: a message that has bytes
    // or is not named, or nothing.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_taken(const ReceiveArguments& arguments,
                                                                WaitReason reason, Taken taken)
    {
        self_.mailbox.assert_held();
        if (!taken)
            return receive_locked(arguments, reason);
        Message& message = self_.mailbox.keep(taken);
        if (!suits(arguments, message) || message.protocol() != nullptr)
            return receive_another(arguments, reason, message);
        self_.mailbox.unlock(self_.waiter.party());
        trace::matched(message);
        return progress_.accept(message, {arguments.buffer}, notes_);
    }

    // The same where ports have room. If all that there is of the message lies in the port, its bytes are
    // brought from there, then it is released, then the lock.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_from_port(const ReceiveArguments& arguments,
                                                                    WaitReason reason, Taken taken)
    {
        self_.mailbox.assert_held();
        const Envelope envelope = taken.envelope();
        if (!taken || taken.memory() != nullptr || !suits(arguments, envelope)) {
            self_.mailbox.pass_lock();
            return receive_taken(arguments, reason, taken);
        }
        Result<UserAddress> brought = UserAddress{arguments.buffer};
        if (envelope.length() != 0) {
            in_port_.write(envelope);
            in_port_.data = const_cast<std::byte*>(taken.bytes());
            brought = transfer_.accept(in_port_, self_.index(), {arguments.buffer});
        }
        self_.mailbox.release(taken);
        self_.mailbox.unlock(self_.waiter.party());
        if (!brought || envelope.home() != 0) [[unlikely]]
            return end_from_port(envelope, brought);
        notes_.note_block(brought->value);
        return envelope;
    }
    // What stands for the message's memory goes back to its sender, which counts the delivery; or the bytes
    // could not be brought.
    [[gnu::noinline]] ReceiveStatus end_from_port(Envelope envelope, const Result<UserAddress>& brought)
    {
        if (envelope.home() != 0)
            (void)give_back(envelope);
        if (!brought)
            return std::unexpected(brought.error());
        notes_.note_block(brought->value);
        return envelope;
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
                return progress_.accept(*message, {arguments.buffer}, notes_);
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
        notes_.note_block(own_.buffer.value);
        return own_.received;
    }

    // Of the short way.
    PeerType* const* peers_ = nullptr;
    std::uint64_t checked_from_ = 0;
    std::uint64_t checked_blocks_from_ = 0;
    unsigned spin_limit_ = 0;
    bool posts_receives_ = false;
    PeerType& self_;
    Router<F>& router_;
    Progress<F>& progress_;
    typename F::Transfer& transfer_;
    CallNotes& notes_;
    Receive own_;       // of the call that takes the full way
    Message in_port_{}; // stands for one that a port carries while its bytes are brought
};

} // namespace parley::messaging
