// SPDX-License-Identifier: MIT
// crecv and crecvp, from the bound entry to the port: the short way, for the oldest message in the port, and
// where that goes on for a message with bytes, one that is not the first in the port, or one that has not
// come yet. The process itself calls this.
#pragma once

#include "messaging/call_notes.hpp"
#include "messaging/progress.hpp"

#include <new>

namespace parley::messaging {

// The attributes of functions mean what sender.hpp says.
template <class F>
class Receiver {
public:
    using PeerType = Peer<F>;

    Receiver(PeerType& self, Router<F>& router, Progress<F>& progress, const typename F::Transfer& transfer,
             CallNotes& notes)
        : self_(self), router_(router), progress_(progress), transfer_(transfer), notes_(notes)
    {
    }
    void bind(const Binding& binding, PeerType* const* peers)
    {
        peers_ = peers;
        checked_from_ = binding.checked_from;
        checked_blocks_from_ = binding.checked_blocks_from;
        carried_bytes_ = binding.carried_below == 0 ? 0 : binding.carried_below - 1;
        spin_limit_ = binding.spin_limit;
        posts_receives_ = binding.posts_receives;
    }

    // Another program begins: the receive that the last program may have left behind is in no list any more.
    void reset()
    {
        own_.rest();
        own_.message = nullptr;
    }

    // Checks what must be right about a receive before anything else. Errors: bad_length, and those of
    // Transfer::check.
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

    // How the short way ends when ports have no room: every message has memory. end() has a message without
    // bytes: it releases the lock, and the message's memory goes back to its sender. receive_otherwise() has
    // any other, or none.
    struct OfMemory {
        static Taken take(Receiver& receiver, PeerType& self) REQUIRES(self.mailbox)
        {
            return self.mailbox.take(receiver.spin_limit_);
        }
        template <WaitReason reason>
        static ReceiveStatus receive_otherwise(Receiver& receiver, PassedLock lock,
                                               const ReceiveArguments& arguments, Taken taken,
                                               const Envelope&)
        {
            receiver.take_over(lock);
            if (taken.memory() == nullptr)
                return receiver.receive_without_memory(arguments, reason, taken);
            return receiver.receive_taken(arguments, reason, taken);
        }
        static ReceiveStatus end(Receiver& receiver, PeerType& self, const ReceiveStatus& found)
            RELEASE(self.mailbox)
        {
            if (self.mailbox.unlocks_in_steps()) {
                receiver.take_over(PassedLock(self.mailbox));
                return receiver.give_back_and_unlock(found);
            }
            self.mailbox.unlock_at_once();
            return receiver.give_back(found);
        }
    };
    // How the short way ends when ports have room: a message may have no memory.
    struct OfPort {
        static Taken take(Receiver& receiver, PeerType& self) REQUIRES(self.mailbox)
        {
            return self.mailbox.take_at_once(receiver.spin_limit_, true);
        }
        template <WaitReason reason>
        static ReceiveStatus receive_otherwise(Receiver& receiver, PassedLock lock,
                                               const ReceiveArguments& arguments, Taken taken,
                                               const Envelope& envelope)
        {
            receiver.take_over(lock);
            if (receiver.self_.mailbox.looks_further(taken))
                return receiver.receive_soon<reason>(arguments);
            return receiver.receive_with_bytes<reason>(arguments, taken, envelope);
        }
        static ReceiveStatus end(Receiver& receiver, PeerType& self, const ReceiveStatus& found)
            RELEASE(self.mailbox)
        {
            if (found.envelope().has_home()) {
                receiver.take_over(PassedLock(self.mailbox));
                return receiver.give_back_and_unlock(found);
            }
            self.mailbox.unlock(self.waiter.party());
            return found;
        }
    };

    // crecv, and below it crecvp, of the process that has `endpoint`. The short way finds its parts from the
    // endpoint, and not from the receiver: so one register leads to all that it needs.
    template <class End, class Endpoint>
    [[gnu::always_inline]] static ReceiveStatus receive(Endpoint& endpoint, const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= endpoint.receiver().checked_from_)
            return receive_checked<WaitReason::message, End>(endpoint, arguments);
        return receive_shortly<WaitReason::message, End>(endpoint, arguments);
    }
    template <class End, class Endpoint>
    [[gnu::always_inline]] static ReceiveStatus receive_block(Endpoint& endpoint,
                                                              const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= endpoint.receiver().checked_blocks_from_)
            return receive_checked<WaitReason::block, End>(endpoint, arguments);
        return receive_shortly<WaitReason::block, End>(endpoint, arguments);
    }

private:
    // The address is laundered, because else the compiler computes it before it knows whether anybody needs
    // it, and saves a register for it.
    template <class Endpoint>
    static Receiver& receiver_of(Endpoint& endpoint)
    {
        return std::launder(&endpoint)->receiver();
    }

    // The path of a message (README), 6: takes the oldest message in the port, which has no bytes and is
    // named by its type. The mailbox's lock is kept while the port is looked at for what may come at once:
    // others want the lock only when the port is full.
    template <WaitReason reason, class End, class Endpoint>
    [[gnu::always_inline]] static ReceiveStatus receive_shortly(Endpoint& endpoint,
                                                                const ReceiveArguments& arguments)
    {
        PeerType& self = endpoint.peer();
        if (!self.mailbox.enter())
            return receiver_of(endpoint).receive_after_contention(arguments, reason);
        if (!self.mailbox.nothing_older()) {
            Receiver& receiver = receiver_of(endpoint);
            receiver.take_over(PassedLock(self.mailbox));
            return receiver.receive_locked(arguments, reason);
        }
        const Taken taken = End::take(endpoint.receiver(), self);
        const ReceiveStatus found = taken.envelope();
        if (!found.envelope().is_plain() || !selector_of(arguments).names(found.envelope()))
            return End::template receive_otherwise<reason>(receiver_of(endpoint), PassedLock(self.mailbox),
                                                           arguments, taken, found.envelope());
        if (reason == WaitReason::block)
            endpoint.receiver().notes_.note_block(arguments.buffer);
        return End::end(endpoint.receiver(), self, found);
    }

    template <WaitReason reason, class End, class Endpoint>
    [[gnu::noinline, gnu::flatten]] static ReceiveStatus receive_checked(Endpoint& endpoint,
                                                                         const ReceiveArguments& arguments)
    {
        TRY_VOID(
            endpoint.receiver().check(arguments, reason == WaitReason::block ? Want::block : Want::bytes));
        return receive_shortly<reason, End>(endpoint, arguments);
    }

    // The lock of the process's mailbox has been passed to this.
    [[gnu::always_inline]] void take_over(PassedLock lock) ACQUIRE(self_.mailbox)
    {
        self_.mailbox.take_over(lock);
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
    [[gnu::noinline]] ReceiveStatus give_back_and_unlock(ReceiveStatus found) RELEASE(self_.mailbox)
    {
        self_.mailbox.unlock(self_.waiter.party());
        return give_back(found);
    }

    // The first look has found nothing. What comes soon is received as what it would have found.
    template <WaitReason reason>
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_soon(const ReceiveArguments& arguments)
        RELEASE(self_.mailbox)
    {
        const Taken taken = self_.mailbox.take(spin_limit_);
        const Envelope envelope = taken.envelope();
        if (!envelope.is_plain() || !selector_of(arguments).names(envelope))
            return receive_with_bytes<reason>(arguments, taken, envelope);
        if (reason == WaitReason::block)
            notes_.note_block(arguments.buffer);
        return OfPort::end(*this, self_, envelope);
    }

    // What a port with room has given has bytes, or is not named; or it is nothing. One comparison tells that
    // there are bytes, and not too many.
    template <WaitReason reason>
    [[gnu::always_inline]] ReceiveStatus receive_with_bytes(const ReceiveArguments& arguments, Taken taken,
                                                            const Envelope& envelope) RELEASE(self_.mailbox)
    {
        if (envelope.length() - std::uint64_t{1} < carried_bytes_ && taken.memory() == nullptr)
            return receive_from_port<reason>(arguments, taken.envelope(), envelope);
        return receive_without_bytes(arguments, reason, taken);
    }

    // `taken` is a message with memory that has bytes or is not named.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_taken(const ReceiveArguments& arguments,
                                                                WaitReason reason, Taken taken)
        RELEASE(self_.mailbox)
    {
        Message& message = taken.memory()->open(taken.envelope());
        if (!suits(arguments, message) || message.protocol() != nullptr)
            return receive_another(arguments, reason, message);
        self_.mailbox.unlock(self_.waiter.party());
        trace::matched(message);
        return progress_.accept(message, {arguments.buffer}, notes_);
    }
    // Nothing has come, or the port has all that there is of a message that is for another receive.
    [[gnu::noinline]] ReceiveStatus receive_without_memory(const ReceiveArguments& arguments,
                                                           WaitReason reason, Taken taken)
        RELEASE(self_.mailbox)
    {
        if (taken)
            self_.mailbox.assign(self_.mailbox.keep(taken));
        return receive_locked(arguments, reason);
    }

    // `entry` and the message's bytes lie in the port: they are copied from there, then the port's entry is
    // released, then the lock.
    template <WaitReason reason>
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_from_port(const ReceiveArguments& arguments,
                                                                    const Envelope& entry, Envelope envelope)
        RELEASE(self_.mailbox)
    {
        const Taken taken(entry, nullptr);
        if (!suits(arguments, envelope))
            return receive_without_memory(arguments, reason, taken);
        if (reason == WaitReason::block)
            notes_.note_block(arguments.buffer);
        const Result<Envelope> brought = progress_.bring_from_port(MailboxHeld(self_.mailbox), envelope,
                                                                   taken.bytes(), {arguments.buffer});
        self_.mailbox.release(taken);
        self_.mailbox.unlock(self_.waiter.party());
        if (!brought) [[unlikely]]
            return end_carried(envelope, std::unexpected(brought.error()));
        if (brought->has_home()) [[unlikely]]
            return end_carried(*brought, *brought);
        return *brought;
    }

    // No more has come out of the port than an envelope, perhaps with a reference, whose bytes are brought
    // when entry and lock are released; or nothing, or a message with memory.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_without_bytes(const ReceiveArguments& arguments,
                                                                        WaitReason reason, Taken taken)
        RELEASE(self_.mailbox)
    {
        const Envelope envelope = taken.envelope();
        if (taken.memory() != nullptr)
            return receive_taken(arguments, reason, taken);
        if (!taken || !suits(arguments, envelope))
            return receive_without_memory(arguments, reason, taken);
        std::byte* const reference = envelope.length() != 0 ? taken.reference() : nullptr;
        self_.mailbox.release(taken);
        self_.mailbox.unlock(self_.waiter.party());
        Result<UserAddress> brought = UserAddress{arguments.buffer};
        if (envelope.length() != 0)
            brought = progress_.bring_reference(envelope, reference, {arguments.buffer});
        if (!brought)
            return end_carried(envelope, std::unexpected(brought.error()));
        notes_.note_block(brought->value);
        return end_carried(envelope, envelope);
    }
    // The message's bytes have been brought, or could not be, and `found` is the answer. If its envelope has
    // a home, the memory there goes back to the sender, which waits for the delivery.
    [[gnu::noinline]] ReceiveStatus end_carried(Envelope envelope, ReceiveStatus found)
    {
        if (envelope.has_home())
            (void)give_back(envelope);
        return found;
    }

    // Somebody else held the mailbox's lock: this waits for it. Errors: also killed.
    [[gnu::noinline]] ReceiveStatus receive_after_contention(const ReceiveArguments& arguments,
                                                             WaitReason reason)
    {
        if (!self_.mailbox.lock(self_.waiter.party()))
            return std::unexpected(Error::killed);
        return receive_locked(arguments, reason);
    }

    // Receives on the full way: searches, and waits. Afterwards the mailbox's lock is free. If the message
    // can be accepted at once, the receive stays idle.
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
            const Result<void> waited =
                self_.mailbox.has_matched() ? accept_others(details, seen) : progress_.wait(details, seen);
            if (!waited || !self_.mailbox.lock(self_.waiter.party()))
                return end(waited ? std::unexpected(Error::killed) : waited);
        }
    }
    // Accepts what posted receives have got, and waits, unless that has brought what this receive wants out
    // of the port: its sender need not signal (Peer::tell()).
    [[gnu::noinline]] Result<void> accept_others(const WaitDetails& details, std::uint32_t seen)
    {
        TRY_VOID(progress_.advance());
        const bool has_come = own_.state.is(ReceiveState::idle)
                                  ? self_.mailbox.look(own_.selector).has_value()
                                  : !own_.state.is(ReceiveState::posted);
        return has_come ? Result<void>() : progress_.wait(details, seen);
    }

    static bool suits(const ReceiveArguments& arguments, const Envelope& envelope)
    {
        return selector_of(arguments).takes(envelope) &&
               envelope.length() <= static_cast<std::uint64_t>(arguments.maximum);
    }

    // The message that has come out of the port is not for this receive, or not whole.
    [[gnu::noinline]] ReceiveStatus receive_another(const ReceiveArguments& arguments, WaitReason reason,
                                                    Message& message) RELEASE(self_.mailbox)
    {
        self_.mailbox.assign(message);
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
        own_.rest();
        return found;
    }

    // A receive that ended in the very moment when the wait for it failed counts as ended, unless the process
    // must end.
    ReceiveStatus result(const Result<void>& waited)
    {
        if (!waited && (waited.error() == Error::killed || !own_.has_ended()))
            return std::unexpected(waited.error());
        if (own_.state.is(ReceiveState::failed))
            return std::unexpected(own_.error);
        notes_.note_block(own_.buffer.value);
        return own_.received;
    }

    // What the short way uses comes first.
    PeerType* const* peers_ = nullptr;
    std::uint64_t checked_from_ = 0;
    std::uint64_t checked_blocks_from_ = 0;
    std::uint64_t carried_bytes_ = 0; // the longest message whose bytes a port carries
    unsigned spin_limit_ = 0;
    bool posts_receives_ = false;
    PeerType& self_;
    Router<F>& router_;
    Progress<F>& progress_;
    const typename F::Transfer& transfer_; // Progress alone has it bring bytes
    CallNotes& notes_;
    Receive own_; // the receive of the call that takes the full way
};

} // namespace parley::messaging
