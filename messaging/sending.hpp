// SPDX-License-Identifier: MIT
// The sender's side. A message that has been put is out of the sender's hands: only put() and what is before
// it can fail.
#pragma once

#include "messaging/reception.hpp"

namespace parley::messaging {

template <class F>
class Sending : public Reception<F> {
public:
    using typename Reception<F>::EndpointType;
    using Reception<F>::Reception;

protected:
    using Reception<F>::await;
    using Reception<F>::discard;
    using Reception<F>::endpoint;
    using Reception<F>::parts_;
    using Reception<F>::put;

    ~Sending() = default;

    // Where a send goes: `count` endpoints from `first` on, without the sender when there is more than one.
    struct Destinations {
        unsigned first;
        unsigned last;
        unsigned skipped;
        unsigned count;
        bool closed; // a single destination that was killed
    };

    Result<Destinations> check(EndpointType& self, const SendArguments& arguments)
    {
        if (!is_valid_type(arguments.type))
            return std::unexpected(Error::bad_type);
        if (arguments.length < 0)
            return std::unexpected(Error::bad_length);
        const auto pid = static_cast<std::int32_t>(arguments.address);
        const auto nodes = static_cast<long>(parts_.nodes);
        if (pid < 0 || pid * nodes >= static_cast<long>(parts_.processes))
            return std::unexpected(Error::bad_process);
        const auto first_of_pid = static_cast<unsigned>(pid * nodes);
        if (arguments.node == -1) {
            const unsigned own = first_of_pid + static_cast<unsigned>(self.node);
            return Destinations{first_of_pid, first_of_pid + parts_.nodes, own, parts_.nodes - 1, false};
        }
        if (arguments.node < 0 || arguments.node >= nodes)
            return std::unexpected(Error::bad_node);
        const unsigned to = first_of_pid + static_cast<unsigned>(arguments.node);
        if (endpoint(to).state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        return Destinations{to, to + 1, to + 1, 1, false};
    }

    // Sends to all destinations. `completion`, when there is one, counts them already. On an error the
    // messages not yet sent are counted off again. Errors: killed, no_memory, and those of Transfer::offer.
    Result<void> post(EndpointType& self, const SendArguments& arguments, const Destinations& to,
                      Request* completion)
    {
        const Offer offer{self.index, arguments.buffer, to.count};
        unsigned sent = 0;
        if (to.count == 0)
            return post_to_nobody(self, arguments, offer);
        for (unsigned index = to.first; index < to.last; ++index) {
            if (index == to.skipped)
                continue;
            TRY_VOID(post_one(self, arguments, offer, index, sent, completion));
            ++sent;
        }
        return {};
    }

    static WaitDetails details(WaitReason reason, const SendArguments& arguments)
    {
        return {reason, arguments.type, arguments.length, static_cast<int>(arguments.node)};
    }

private:
    Result<void> post_one(EndpointType& self, const SendArguments& arguments, const Offer& offer, unsigned to,
                          unsigned sent, Request* completion)
    {
        Result<Message*> prepared = prepare(self, arguments, offer, sent > 0);
        if (!prepared && prepared.error() == Error::no_memory)
            prepared = wait_for_budget(self, arguments, offer, sent > 0);
        if (!prepared) {
            abandon(arguments, offer, sent > 0 ? offer.copies - sent : 0);
            if (completion != nullptr)
                completion->remaining.fetch_sub(offer.copies - sent, std::memory_order_acq_rel);
            return std::unexpected(prepared.error());
        }
        Message& message = **prepared;
        message.completion = completion;
        message.destination = static_cast<std::uint16_t>(to);
        const Result<void> result = put(endpoint(parts_.transport.route(to)), message);
        if (!result) {
            abandon(arguments, offer, offer.copies - sent - 1);
            if (completion != nullptr)
                completion->remaining.fetch_sub(offer.copies - sent - 1, std::memory_order_acq_rel);
            discard(message);
        }
        return result;
    }

    // A message with its bytes, or the reason why not; then nothing is held.
    Result<Message*> prepare(EndpointType& self, const SendArguments& arguments, const Offer& offer,
                             bool again)
    {
        Message* const message = TRY(this->new_message(self));
        message->type = static_cast<std::uint32_t>(arguments.type);
        message->context = static_cast<std::uint32_t>(static_cast<std::uint64_t>(arguments.address) >> 32);
        message->length = static_cast<std::uint64_t>(arguments.length);
        message->completion = nullptr;
        if (message->length == 0)
            return message;
        const Result<void> offered =
            again ? parts_.transfer.repeat(*message, offer) : parts_.transfer.offer(*message, offer);
        if (offered)
            return message;
        this->retire(*message);
        return std::unexpected(offered.error());
    }

    // The budget is used up: wait until something is freed, and try again. The first try comes after the
    // announcement, so that a release in between either serves it or signals us.
    Result<Message*> wait_for_budget(EndpointType& self, const SendArguments& arguments, const Offer& offer,
                                     bool again)
    {
        if (!parts_.traits.needs_shared &&
            static_cast<std::uint64_t>(arguments.length) > parts_.buffers.largest())
            return std::unexpected(Error::no_memory);
        Result<Message*> prepared = std::unexpected(Error::no_memory);
        this->announce_budget_wait(self);
        const Result<void> waited = await(self, details(WaitReason::budget, arguments), [&] {
            prepared = prepare(self, arguments, offer, again);
            return prepared || prepared.error() != Error::no_memory;
        });
        this->end_budget_wait(self);
        if (!waited)
            return std::unexpected(waited.error());
        return prepared;
    }

    // A broadcast in a job of one node: pointer transfer gives the block away nevertheless.
    Result<void> post_to_nobody(EndpointType& self, const SendArguments& arguments, const Offer& offer)
    {
        Message& message = *TRY(prepare(self, arguments, offer, false));
        discard(message);
        return {};
    }

    // `shares` messages of a call will never be sent: take their share of the bytes and drop it.
    void abandon(const SendArguments& arguments, const Offer& offer, unsigned shares)
    {
        if (arguments.length == 0)
            return;
        Message ghost;
        ghost.length = static_cast<std::uint64_t>(arguments.length);
        for (; shares > 0; --shares)
            if (parts_.transfer.repeat(ghost, offer))
                parts_.transfer.drop(ghost);
    }
};

} // namespace parley::messaging
