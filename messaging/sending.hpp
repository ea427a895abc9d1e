// SPDX-License-Identifier: MIT
// The sender's side. A message that has been put is out of the sender's hands: only put() and what is before
// it can fail.
#pragma once

#include "messaging/addressing.hpp"

namespace parley::messaging {

template <class F>
class Sending : public Addressing<F> {
public:
    using typename Addressing<F>::EndpointType;
    using Addressing<F>::Addressing;

protected:
    using Addressing<F>::await;
    using typename Addressing<F>::Destinations;
    using Addressing<F>::endpoint;
    using Addressing<F>::parts_;
    using Addressing<F>::put;

    ~Sending() = default;

    // The path of a message (README), 3: straight to the process 0 of a node. A spare message is there.
    // Everything else is the business of others, who begin anew. 0, or minus an error as those of post(),
    // and closed. What is not needed for a message without bytes is in functions of its own, so that next to
    // nothing has to be saved here.
    template <class Otherwise>
    [[gnu::always_inline]] long send_straight(EndpointType& self, const SendArguments& arguments,
                                              Otherwise otherwise)
    {
        const auto node = static_cast<std::uint64_t>(arguments.node);
        const bool is_usual = node < this->ordinary_.nodes && (arguments.to & ~PARLEY_SENDER_CONTEXT) == 0;
        if (!is_usual || !is_valid_type(arguments.type)) [[unlikely]]
            return otherwise();
        EndpointType& to = endpoint(static_cast<unsigned>(node));
        const std::uint64_t home = self.pool.take_place();
        if (arguments.length != 0 || trace::reads_messages)
            return send_packed(self, arguments, to, home);
        Message& message = self.pool.at(home);
        if (!to.port->put(message, envelope_of(self, arguments, home))) [[unlikely]]
            return put_later(to, message);
        return this->tell(to);
    }

    // The same for a message with bytes, and for one that is carried.
    [[gnu::noinline]] long send_packed(EndpointType& self, const SendArguments& arguments, EndpointType& to,
                                       std::uint64_t home)
    {
        Message& message = self.pool.at(home);
        message.unpack(envelope_of(self, arguments, home));
        if (!this->is_valid_length(arguments) || !offered(self, arguments, message)) [[unlikely]] {
            self.pool.keep(message);
            return send_now(self, arguments, to).number();
        }
        message.destination = to.index;
        trace::sending(message);
        EndpointType& hop = *to.hop;
        if (!hop.port->put(message, message)) [[unlikely]]
            return put_later(hop, message);
        return this->tell(hop);
    }

    // The same with a delivery that somebody waits for. Errors: those of post().
    [[gnu::always_inline]] Result<void> send_counted(EndpointType& self, const SendArguments& arguments,
                                                     EndpointType& to, Request& completion)
    {
        Message& message = self.pool.at(self.pool.take_place());
        message.write(envelope_of(self, arguments, 0));
        message.completion = &completion;
        completion.remaining.fetch_add(1, std::memory_order_relaxed);
        if (!offered(self, arguments, message)) [[unlikely]] {
            self.pool.keep(message);
            return post_one(self, arguments, 1, to.index, 0, &completion);
        }
        message.destination = to.index;
        trace::sending(message);
        const Outcome put_there = put(*to.hop, message, message);
        if (!put_there && put_there.error() != Error::closed) [[unlikely]]
            return discard_unsent(message);
        return {};
    }

    // The same for all that is ordinary, and in any case with a message. Errors: those of post(), and closed.
    [[gnu::noinline]] Outcome send_now(EndpointType& self, const SendArguments& arguments, EndpointType& to)
    {
        if (!this->is_valid_length(arguments))
            return std::unexpected(Error::bad_length);
        Message& message = *TRY(prepare_all(self, arguments, self.pool.take(), 1, 0, nullptr));
        message.destination = to.index;
        trace::sending(message);
        const Outcome put_there = put(*to.hop, message, message);
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
        message.destination = static_cast<std::uint8_t>(to);
        trace::sending(message);
        const bool asks = this->negotiates(message);
        const Outcome put_there = put(*endpoint(to).hop, message, message);
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

    [[gnu::always_inline]] bool offered(EndpointType& self, const SendArguments& arguments, Message& message)
    {
        return arguments.length == 0 || parts_.transfer.offer(message, {self.index, arguments.buffer, 1});
    }

    // The port was full.
    [[gnu::noinline]] static long put_later(EndpointType& to, Message& message)
    {
        return to.system->put_after_all(to, message).number();
    }

    Outcome put_after_all(EndpointType& to, Message& message)
    {
        const Outcome put_there = put(to, message, message);
        return put_there ? put_there : refused(message, put_there.error());
    }

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
