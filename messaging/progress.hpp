// SPDX-License-Identifier: MIT
// What a process does for its messages whenever it waits for anything, so that no sender waits for a
// receive that has been posted: it looks into its port, and accepts the messages that its posted receives
// have got. The process itself calls this.
#pragma once

#include "messaging/call_notes.hpp"
#include "messaging/message/stand_in.hpp"
#include "messaging/router.hpp"

#include <utility>

namespace parley::messaging {

template <class F>
class Progress {
public:
    using PeerType = Peer<F>;

    Progress(PeerType& self, Router<F>& router, typename F::Location& location,
             typename F::Transfer& transfer, Budget<typename F::Synchronization>& budget)
        : self_(self), router_(router), location_(location), transfer_(transfer), budget_(budget)
    {
    }

    // Waits until `is_done` holds. Errors: killed; interrupted, where `details` permit it.
    template <class Done>
    Result<void> await(const WaitDetails& details, Done is_done)
    {
        for (;;) {
            const std::uint32_t seen = self_.waiter.sequence();
            if (is_done())
                return {};
            TRY_VOID(advance());
            if (is_done())
                return {};
            TRY_VOID(wait(details, seen));
        }
    }

    // Waits as a Waiter does, with the Active Messages that have come where a monitor finds them: the caller
    // does not poll meanwhile.
    [[gnu::always_inline]] Result<void> wait(const WaitDetails& details, std::uint32_t seen)
    {
        // Both in one test, because neither is so where ports are plain.
        const auto has_active =
            reinterpret_cast<std::uintptr_t>(self_.active.load(std::memory_order_acquire));
        if ((has_active | std::uintptr_t{self_.mailbox.draws_are_shown()}) != 0) [[unlikely]]
            return show_and_listen(details, seen);
        return self_.waiter.wait(details, seen);
    }
    // Waits as a Waiter does, unless a message is under way, whose sender may not signal, or `looks()` finds
    // something (true) or fails: it looks for what senders tell of only to a process that listens.
    template <class Look>
    Result<void> listen(const WaitDetails& details, std::uint32_t seen, const Look& looks)
    {
        StatusWord& status = self_.waiter.status();
        if (details.restartable && status.notification() == Notification::pending)
            return std::unexpected(Error::interrupted); // as a Waiter does, whatever is under way
        // Come before both looks: the status pairs with Peer::tell(), the fence with that in
        // ActiveEndpoint::announce().
        status.set_listens();
        std::atomic_thread_fence(std::memory_order_seq_cst);
        const Result<void> waited = look_and_wait(details, seen, looks);
        status.set_listens_no_more();
        return waited;
    }

    // Waits until `is_done` holds, which may need some of the budget. The first try comes after the
    // announcement, so that budget freed in between is either found by that try or signalled to this
    // process.
    template <class Done>
    Result<void> await_budget(const WaitDetails& details, Done is_done)
    {
        budget_.announce(self_.waiter);
        const Result<void> waited = await(details, is_done);
        budget_.withdraw(self_.waiter);
        return waited;
    }

    // Looks into the port, and accepts for posted receives what has come. Errors: killed.
    Result<void> advance()
    {
        TRY_VOID(self_.mailbox.look_into_port());
        if (self_.mailbox.has_matched())
            TRY_VOID(accept_matched());
        return {};
    }

    // Nothing else than these three brings bytes to a program: meanwhile the process has the message in hand,
    // which is noted, because it may be ended while they are copied (leave()).

    // Brings the bytes of a message that only the caller has to `buffer`, and answers where they are then.
    // Errors: those of Transfer::accept.
    [[gnu::always_inline]] Result<UserAddress> bring(Message& message, UserAddress buffer)
    {
        in_hand_ = &message;
        const Result<UserAddress> brought = transfer_.accept(message, self_.index(), buffer);
        in_hand_ = nullptr;
        return brought;
    }
    // Copies the bytes of a message that lies whole in the port of that mailbox. Answers its envelope as it
    // was noted: so no register keeps that while bytes are copied. Errors: bad_buffer.
    [[gnu::always_inline]] Result<Envelope> bring_from_port(MailboxHeld, const Envelope& envelope,
                                                            const std::byte* bytes, UserAddress buffer)
    {
        Message& message = in_port_.for_bytes(envelope);
        in_hand_ = &message;
        const Result<void> copied = location_.copy_out(buffer, bytes, envelope.length());
        in_hand_ = nullptr;
        if (!copied)
            return std::unexpected(copied.error());
        // By its words, as it was written: one wide load would wait for both stores.
        return Envelope::of_words(message.contents(), message.sender());
    }
    // Does the same as bring() with a message of which the port had no more than a reference.
    [[gnu::always_inline]] Result<UserAddress> bring_reference(const Envelope& envelope, std::byte* reference,
                                                               UserAddress buffer)
    {
        const Result<UserAddress> brought = bring(in_port_.for_reference(envelope, reference), buffer);
        in_port_.let_go();
        budget_.freed();
        return brought;
    }

    // Brings a message's bytes to `buffer`, and notes where they are then. Only the caller has the
    // message, which is over afterwards, also after an error. Errors: those of Transfer::accept; after
    // would_block the message still belongs to the caller. It is inlined, because each caller ends with
    // it.
    template <class Notes>
    [[gnu::always_inline]] ReceiveStatus accept(Message& message, UserAddress buffer, Notes& notes)
    {
        const Envelope envelope = message;
        if (envelope.length() != 0) {
            const Result<UserAddress> brought = bring(message, buffer);
            if (!brought)
                return accept_nothing(message, brought.error());
            buffer = *brought;
        }
        notes.note_block(buffer.value);
        trace::received(message);
        budget_.freed();
        if (envelope.home() == 0)
            return complete(message, envelope);
        PeerType& sender = router_.peer(envelope.source());
        sender.delivery.pool().give_back(envelope.home());
        if (!sender.waiter.status().is_ordinary())
            return router_.come_back(sender, envelope);
        return envelope;
    }

    // The process was ended in the middle of a receive, while bytes were copied to its program. Whoever ended
    // it calls this: nobody will receive the message that it had in hand.
    void leave()
    {
        in_port_.note_home();
        if (Message* const message = std::exchange(in_hand_, nullptr))
            router_.discard(*message);
        in_port_.let_go();
    }

private:
    [[gnu::noinline]] Result<void> show_and_listen(const WaitDetails& details, std::uint32_t seen)
    {
        return listen(details, seen, [this]() -> Result<bool> {
            if (auto* const active = self_.active.load(std::memory_order_acquire))
                TRY_VOID(active->show());
            return false;
        });
    }
    template <class Look>
    Result<void> look_and_wait(const WaitDetails& details, std::uint32_t seen, const Look& looks)
    {
        if (TRY(looks()))
            return {};
        return self_.mailbox.is_under_way() ? self_.mailbox.await_publication()
                                            : self_.waiter.wait(details, seen);
    }
    // Notes where the bytes of a posted receive are.
    struct PostedBuffer {
        UserAddress& buffer;
        void note_block(unsigned long address) { buffer.value = address; }
    };

    ReceiveStatus complete(Message& message, Envelope envelope)
    {
        router_.complete(message);
        return envelope;
    }

    // The copy failed, or the bytes were lent by a process that has been killed, and may no longer exist.
    ReceiveStatus accept_nothing(Message& message, Error error)
    {
        if (error != Error::would_block) {
            trace::received(message);
            router_.complete(message);
        }
        return std::unexpected(error);
    }

    // Tries each matched receive once.
    Result<void> accept_matched()
    {
        const Receive* first_to_wait = nullptr;
        while (self_.mailbox.has_matched()) {
            Receive* const receive = TRY(self_.mailbox.next_matched());
            if (receive == nullptr)
                break;
            const bool has_ended = TRY(finish(*receive));
            if (has_ended)
                continue;
            self_.mailbox.match_again(*receive);
            if (receive == first_to_wait)
                return {};
            if (first_to_wait == nullptr)
                first_to_wait = receive;
        }
        return {};
    }

    // False: not all bytes of its message have come. Errors: killed.
    Result<bool> finish(Receive& receive)
    {
        PostedBuffer notes{receive.buffer};
        const ReceiveStatus found = accept(*receive.message, receive.buffer, notes);
        if (found) {
            receive.finish(found.envelope());
            return true;
        }
        if (found.error() == Error::would_block)
            return false;
        receive.fail(found.error());
        if (found.error() == Error::killed)
            return std::unexpected(Error::killed);
        return true;
    }

    PeerType& self_;
    Router<F>& router_;
    typename F::Location& location_;
    typename F::Transfer& transfer_;
    Budget<typename F::Synchronization>& budget_;
    Message* in_hand_ = nullptr; // the one whose bytes are being brought
    StandIn in_port_;            // for one that a port has carried
};

} // namespace parley::messaging
