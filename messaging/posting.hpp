// SPDX-License-Identifier: MIT
// Making messages and putting them, in any case: with a budget that is used up, a port that is full, several
// destinations. A message that has been put is out of the sender's hands: only put() and what is before it
// can fail.
#pragma once

#include "messaging/addressing.hpp"

namespace parley::messaging {

template <class F>
class Posting : public Addressing<F> {
public:
    using typename Addressing<F>::EndpointType;
    using Addressing<F>::Addressing;

protected:
    using Addressing<F>::await;
    using typename Addressing<F>::Destinations;
    using Addressing<F>::endpoint;
    using Addressing<F>::parts_;
    using Addressing<F>::put;

    ~Posting() = default;

    // Sends to one about which all is ordinary. Errors: those of post(), and closed.
    [[gnu::noinline]] Outcome send_now(EndpointType& self, const SendArguments& arguments, EndpointType& to)
    {
        if (!this->is_valid_length(arguments))
            return std::unexpected(Error::bad_length);
        Message& message = *TRY(prepare_all(self, arguments, self.pool.take(), 1, 0, nullptr));
        message.destination = to.index;
        trace::sending(message);
        const Outcome put_there = put(self, *to.hop, message, message);
        if (!put_there) [[unlikely]]
            return refused(message, put_there.error());
        return 0;
    }

    // Sends to all destinations. `completion`, when there is one, counts them already. On an error the
    // messages not yet sent are counted off again. Errors: killed, no_memory, and those of Transfer::offer.
    Result<void> post(EndpointType& self, const SendArguments& arguments, const Destinations& to,
                      Request* completion)
    {
        unsigned sent = 0;
        if (to.count == 0)
            return post_to_nobody(self, arguments);
        for (unsigned index = to.first; index < to.last; ++index) {
            if (index == to.skipped)
                continue;
            TRY_VOID(post_one(self, arguments, to.count, index, sent, completion));
            ++sent;
        }
        return {};
    }

    // A spare message with all that is to be sent, or null. Nobody but a csend that waits for its return
    // wants to hear of it.
    [[gnu::always_inline]] Message* packed(EndpointType& self, const SendArguments& arguments,
                                           EndpointType& to)
    {
        if (!self.pool.has_next()) [[unlikely]]
            self.pool.fetch_returned();
        if (!self.pool.has_next() || !this->is_valid_length(arguments)) [[unlikely]]
            return nullptr;
        Message& message = *self.pool.take();
        message.unpack(envelope_of(self, arguments, message.place));
        const Offer offer{self.index, arguments.buffer, 1};
        if (arguments.length != 0 && !parts_.transfer.offer(message, offer)) [[unlikely]] {
            self.pool.keep(message);
            return nullptr;
        }
        message.destination = to.index;
        trace::sending(message);
        return &message;
    }

    // The port was full. A destination that is killed meanwhile has got the message before.
    [[gnu::noinline]] static long put_later(EndpointType& self, EndpointType& to, Message& message)
    {
        const Outcome put_there = to.system->Posting::put(self, to, message, message);
        if (!put_there && put_there.error() != Error::closed)
            return Outcome(to.system->Posting::discard_unsent(message)).number();
        return 0;
    }

    // A message that could not be put.
    [[gnu::noinline]] std::unexpected<Error> refused(Message& message, Error error)
    {
        if (error == Error::closed)
            return std::unexpected(error);
        return discard_unsent(message);
    }

    [[gnu::noinline]] std::unexpected<Error> discard_unsent(Message& message)
    {
        this->drop_own(message);
        return std::unexpected(Error::killed);
    }

    static WaitDetails details(WaitReason reason, const SendArguments& arguments)
    {
        return {reason, arguments.type, arguments.length, static_cast<int>(arguments.node)};
    }

private:
    // The message number `sent` of a call that makes `copies`. Errors: as post().
    Result<void> post_one(EndpointType& self, const SendArguments& arguments, unsigned copies, unsigned to,
                          unsigned sent, Request* completion)
    {
        Message& message = *TRY(prepare_all(self, arguments, self.pool.take(), copies, sent, completion));
        message.destination = static_cast<std::uint16_t>(to);
        trace::sending(message);
        const bool asks = this->negotiates(message);
        const Outcome put_there = put(self, *endpoint(to).hop, message, message);
        if (put_there || put_there.error() == Error::closed) [[likely]] {
            if (!asks) [[likely]]
                return {};
            return follow_up(self, arguments, copies, message, sent, completion);
        }
        give_up(arguments, {self.index, arguments.buffer, copies}, sent + 1, completion);
        return discard_unsent(message);
    }

    [[gnu::always_inline]] static Envelope envelope_of(EndpointType& self, const SendArguments& arguments,
                                                       std::uint64_t home)
    {
        return self.stamp.addressed(static_cast<std::uint32_t>(arguments.type),
                                    static_cast<std::uint32_t>(arguments.length), arguments.to, home);
    }

    // A control message has been put: bring its bytes. Errors: killed, no_memory, bad_buffer.
    [[gnu::noinline]] Result<void> follow_up(EndpointType& self, const SendArguments& arguments,
                                             unsigned copies, Message& message, unsigned sent,
                                             Request* completion)
    {
        const Offer offer{self.index, arguments.buffer, copies};
        WaitDetails waited_for = details(WaitReason::delivery, arguments);
        waited_for.restartable = sent == 0; // a broadcast that has begun is finished first
        const Result<void> brought = this->bring(self, message, offer, waited_for);
        if (!brought)
            give_up(arguments, offer, sent + 1, completion);
        return brought;
    }

    // The long way to a message with its bytes: from `spare`, if there is one, or the heap. Waits if that can
    // help, else leaves nothing behind.
    [[gnu::noinline]] Result<Message*> prepare_all(EndpointType& self, const SendArguments& arguments,
                                                   Message* spare, unsigned copies, unsigned sent,
                                                   Request* completion)
    {
        const Offer offer{self.index, arguments.buffer, copies};
        Result<Message*> prepared = prepare(self, arguments, offer, spare, sent > 0, completion);
        if (prepared) [[likely]]
            return prepared;
        if (prepared.error() == Error::no_memory)
            prepared = wait_for_budget(self, arguments, offer, sent > 0, completion);
        if (!prepared)
            give_up(arguments, offer, sent, completion);
        return prepared;
    }

    // Only `sent` messages of a call were made: the others' share of the bytes is taken and dropped, and the
    // completion does not count them.
    [[gnu::noinline]] void give_up(const SendArguments& arguments, const Offer& offer, unsigned sent,
                                   Request* completion)
    {
        const unsigned missing = offer.copies - sent;
        if (completion != nullptr)
            completion->remaining.fetch_sub(missing, std::memory_order_acq_rel);
        if (arguments.length == 0 || sent == 0)
            return;
        Message ghost;
        ghost.write(Envelope().addressed(0, static_cast<std::uint32_t>(arguments.length), 0, 0));
        for (unsigned share = 0; share < missing; ++share)
            if (parts_.transfer.repeat(ghost, offer))
                parts_.transfer.drop(ghost);
    }

    // A message with its bytes, or the reason why not; then nothing is held.
    Result<Message*> prepare(EndpointType& self, const SendArguments& arguments, const Offer& offer,
                             Message* spare, bool again, Request* completion)
    {
        Message* const message = spare != nullptr ? spare : TRY(this->new_message(self));
        message->write(envelope_of(self, arguments, completion == nullptr ? message->place : 0));
        message->completion = completion;
        if (message->length() == 0)
            return message;
        const Result<void> offered =
            again ? parts_.transfer.repeat(*message, offer) : parts_.transfer.offer(*message, offer);
        if (offered)
            return message;
        self.pool.keep(*message); // retiring it would wake those who wait for the budget: perhaps ourselves
        return std::unexpected(offered.error());
    }

    // The budget is used up: wait until something is freed, and try again. The first try comes after the
    // announcement, so that a release in between either serves it or signals us.
    [[gnu::noinline]] Result<Message*> wait_for_budget(EndpointType& self, const SendArguments& arguments,
                                                       const Offer& offer, bool again, Request* completion)
    {
        if (!parts_.traits.needs_shared &&
            static_cast<std::uint64_t>(arguments.length) > parts_.buffers.largest())
            return std::unexpected(Error::no_memory);
        Result<Message*> prepared = std::unexpected(Error::no_memory);
        WaitDetails waited_for = details(WaitReason::budget, arguments);
        waited_for.restartable = !again; // a broadcast that has begun is finished first
        this->announce_budget_wait(self);
        const Result<void> waited = await(self, waited_for, [&] {
            prepared = prepare(self, arguments, offer, nullptr, again, completion);
            return prepared || prepared.error() != Error::no_memory;
        });
        this->end_budget_wait(self);
        if (!waited)
            return std::unexpected(waited.error());
        return prepared;
    }

    // A broadcast in a job of one node: pointer transfer gives the block away nevertheless.
    Result<void> post_to_nobody(EndpointType& self, const SendArguments& arguments)
    {
        const Offer offer{self.index, arguments.buffer, 0};
        Message& message = *TRY(prepare(self, arguments, offer, nullptr, false, nullptr));
        this->drop_own(message);
        return {};
    }
};

} // namespace parley::messaging
