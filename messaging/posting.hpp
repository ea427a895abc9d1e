// SPDX-License-Identifier: MIT
// How messages are made and put on the full way, for csend and isend: a call's message to one process, or one
// to each of several. This way can wait and refuse. A message that has been put is out of the sender's hands:
// only what is before that can fail. The process itself calls this.
#pragma once

#include "messaging/directory.hpp"
#include "messaging/outbox.hpp"
#include "messaging/progress.hpp"

#include <utility>

namespace parley::messaging {

template <class F>
class Posting {
public:
    using PeerType = Peer<F>;

    Posting(PeerType& self, Router<F>& router, Progress<F>& progress, Outbox<F>& outbox,
            const Directory& directory, typename F::Transfer& transfer,
            Budget<typename F::Synchronization>& budget)
        : self_(self), router_(router), progress_(progress), outbox_(outbox), directory_(directory),
          transfer_(transfer), budget_(budget)
    {
    }

    // Called once, before the first call. `routes`: by endpoint, into whose mailbox its messages for it are
    // put: that endpoint's own, or a helper's.
    void bind(PeerType* const* routes) { routes_ = routes; }
    // Whether its messages for that endpoint are put into the mailbox there.
    bool is_direct(unsigned endpoint) const { return routes_[endpoint] == &router_.peer(endpoint); }

    // Whether any of its messages' bytes were ever lent, so that they are lost if the process ends.
    bool has_lent() const { return has_lent_; }
    // The message's bytes are lent until it has been delivered.
    void note_lent() { has_lent_ = true; }

    // Whom a send is for. Errors: bad_type, bad_length, bad_node, bad_process; closed, for a single process
    // that was killed.
    Result<Destinations> find(const SendArguments& arguments) const
    {
        if (!is_valid_type(arguments.type))
            return std::unexpected(Error::bad_type);
        if (!Envelope::is_length(arguments.length))
            return std::unexpected(Error::bad_length);
        const Destinations to = TRY(directory_.find(arguments, self_.index()));
        if (was_killed(arguments, to))
            return std::unexpected(Error::closed);
        return to;
    }

    bool is_to_itself(const Destinations& to) const { return to.count == 1 && to.first == self_.index(); }
    // Whether the destination of a send to one process has been killed.
    bool was_killed(const SendArguments& arguments, const Destinations& to) const
    {
        return arguments.node != -1 && router_.peer(to.first).state() == EndpointState::killed;
    }

    // What a call's messages count on: each on `all`, where that is not null; else those whose bytes are lent
    // on `lent`.
    struct Counted {
        Completion* all;
        Completion& lent;
        bool may_lend = true;
    };

    // Makes a message for each destination and puts it. On an error the rest is not sent. Errors: killed,
    // no_memory, interrupted, and those of Transfer::offer and Protocol::bring.
    Result<void> post(const SendArguments& arguments, const Destinations& to, const Counted& counted)
    {
        const Offer offer{self_.index(), {arguments.buffer}, to.count, counted.may_lend};
        if (to.count == 0)
            return post_to_nobody(arguments, offer);
        return post_from(arguments, offer, to, to.first, 0, counted);
    }
    // Like post(), from the destination `index` on. `sent` of the messages that the offer is for have been
    // put before; if there are any, the bytes have been offered. `has_begun`: the call has put others before,
    // so it is finished before a handler may interrupt; a constant, for the usual call has not.
    template <bool has_begun = false>
    Result<void> post_from(const SendArguments& arguments, const Offer& offer, const Destinations& to,
                           unsigned index, unsigned sent, const Counted& counted)
    {
        for (; index < to.last; ++index) {
            if (index == to.skipped)
                continue;
            Message& message = *TRY(prepare<has_begun>(arguments, offer, sent, counted));
            TRY_VOID(put<has_begun>(arguments, offer, message, index, sent));
            ++sent;
        }
        return {};
    }

    // Puts the message number `sent` of a call, and brings its bytes if it has a protocol. A broadcast that
    // has begun is finished before a handler may interrupt. Errors: killed, and those of Protocol::bring.
    template <bool has_begun = false>
    Result<void> put(const SendArguments& arguments, const Offer& offer, Message& message,
                     unsigned destination, unsigned sent)
    {
        message.destination = static_cast<std::uint16_t>(destination);
        trace::sending(message);
        Protocol* const protocol = message.protocol();
        const Outcome put = router_.put(self_.waiter.party(), *routes_[destination], message);
        if (!put && put.error() != Error::closed) {
            drop_shares(arguments, offer, sent + 1);
            router_.drop(message);
            return std::unexpected(Error::killed);
        }
        if (protocol == nullptr)
            return {};
        brought_ = &message;
        const Result<void> brought = protocol->bring(
            message, offer, details(WaitReason::delivery, arguments, sent == 0 && !has_begun));
        brought_ = nullptr;
        if (!brought)
            drop_shares(arguments, offer, sent + 1);
        return brought;
    }

    // The process was ended in the middle of a send, while its program's bytes were copied. Whoever ended it
    // calls this: the message that it was about is left or spare again.
    void leave()
    {
        if (Message* const message = std::exchange(brought_, nullptr))
            message->protocol()->abandoned_by_sender(*message, self_.index());
        if (std::byte* const buffer = self_.delivery.pool().take_buffer())
            budget_.heap().release(buffer);
    }

    // What a wait of this call is for; `restartable` is that of WaitDetails.
    static WaitDetails details(WaitReason reason, const SendArguments& arguments, bool restartable = false)
    {
        return {reason, arguments.type, arguments.length, WaitedPeer::of(arguments.node, arguments.address),
                restartable};
    }

private:
    // Makes a message with its bytes, and waits for budget if that can help. After an error nothing is held.
    template <bool has_begun = false>
    Result<Message*> prepare(const SendArguments& arguments, const Offer& offer, unsigned sent,
                             const Counted& counted)
    {
        Result<Message*> prepared = prepare_at_once(arguments, offer, sent, counted);
        if (prepared)
            return prepared;
        if (prepared.error() == Error::no_memory) {
            // A broadcast that has begun is finished first.
            const WaitDetails waited_for = details(WaitReason::budget, arguments, sent == 0 && !has_begun);
            const Result<void> waited = progress_.await_budget(waited_for, [&] {
                prepared = prepare_at_once(arguments, offer, sent, counted);
                return prepared || prepared.error() != Error::no_memory;
            });
            if (!waited)
                prepared = std::unexpected(waited.error());
        }
        if (!prepared)
            drop_shares(arguments, offer, sent);
        return prepared;
    }

    // Makes a message with its bytes without waiting. After an error nothing is held.
    Result<Message*> prepare_at_once(const SendArguments& arguments, const Offer& offer, unsigned sent,
                                     const Counted& counted)
    {
        Message& message =
            *TRY(outbox_.open(static_cast<std::uint32_t>(arguments.type),
                              static_cast<std::uint32_t>(arguments.length), arguments.address));
        Custody custody = Custody::taken;
        if (message.length() > 0) {
            const Result<Custody> offered =
                sent > 0 ? transfer_.repeat(message, offer) : transfer_.offer(message, offer);
            if (!offered)
                return std::unexpected(offered.error());
            custody = *offered;
            has_lent_ = has_lent_ || custody == Custody::lent;
        }
        outbox_.draw(message);
        Completion* const completion = counted.all != nullptr     ? counted.all
                                       : custody == Custody::lent ? &counted.lent
                                                                  : nullptr;
        if (completion != nullptr) {
            completion->expect(1);
            message.count_on(*completion);
        }
        return &message;
    }

    // Only `sent` of a call's messages were made: this takes and drops the other messages' shares of the
    // bytes.
    void drop_shares(const SendArguments& arguments, const Offer& offer, unsigned sent)
    {
        if (arguments.length == 0 || sent == 0)
            return;
        Message share;
        share.write(Envelope().addressed(0, static_cast<std::uint32_t>(arguments.length), 0, 0));
        for (unsigned left = sent; left < offer.copies; ++left)
            if (transfer_.repeat(share, offer))
                transfer_.drop(share);
        budget_.freed();
    }

    // A broadcast in a job of one node: a Transfer that hands blocks over gives the block away nevertheless.
    Result<void> post_to_nobody(const SendArguments& arguments, const Offer& offer)
    {
        router_.drop(*TRY(prepare(arguments, offer, 0, {nullptr, self_.delivery.lent()})));
        return {};
    }

    PeerType& self_;
    Router<F>& router_;
    PeerType* const* routes_ = nullptr;
    Progress<F>& progress_;
    Outbox<F>& outbox_;
    const Directory& directory_;
    typename F::Transfer& transfer_;
    Budget<typename F::Synchronization>& budget_;
    bool has_lent_ = false;
    Message* brought_ = nullptr; // whose protocol's bring() runs
};

} // namespace parley::messaging
