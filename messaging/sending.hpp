// SPDX-License-Identifier: MIT
// The sender's side. A message that has been put is out of the sender's hands: only put() and what is before
// it can fail.
#pragma once

#include "messaging/pid_names.hpp"
#include "messaging/rendezvous.hpp"

namespace parley::messaging {

template <class F>
class Sending : public Rendezvous<F> {
public:
    using typename Rendezvous<F>::EndpointType;
    using Rendezvous<F>::Rendezvous;

protected:
    using Rendezvous<F>::await;
    using Rendezvous<F>::endpoint;
    using Rendezvous<F>::parts_;
    using Rendezvous<F>::put;

    ~Sending() = default;

    // Where a send goes: `count` endpoints of one pid, from `first` on, without the sender when it is a
    // broadcast.
    struct Destinations {
        unsigned first;
        unsigned last;
        unsigned skipped;
        unsigned count;
    };

    bool is_on_node(const SendArguments& arguments) const
    {
        return static_cast<unsigned long>(arguments.node) < parts_.nodes;
    }

    // The endpoint of node 0 with the pid that is meant. Errors: bad_type, bad_length, bad_process.
    [[gnu::always_inline]] Result<unsigned> check(const SendArguments& arguments)
    {
        if (!is_valid_type(arguments.type)) [[unlikely]]
            return std::unexpected(Error::bad_type);
        if (arguments.length < 0) [[unlikely]]
            return std::unexpected(Error::bad_length);
        const std::uint64_t first =
            std::uint64_t{static_cast<std::uint32_t>(arguments.address)} * parts_.nodes;
        if (first >= parts_.on_nodes) [[unlikely]]
            return names_.find(static_cast<std::int32_t>(arguments.address), parts_.nodes);
        return static_cast<unsigned>(first);
    }

    // The same for one destination: its endpoint. Errors: also bad_node.
    [[gnu::always_inline]] Result<unsigned> check_single(const SendArguments& arguments)
    {
        if (!is_on_node(arguments)) [[unlikely]]
            return check_host(arguments);
        const unsigned first = TRY(check(arguments));
        return first + static_cast<unsigned>(arguments.node);
    }

    // The same for one or all. Errors: also closed, for a single destination that was killed.
    Result<Destinations> check_all(EndpointType& self, const SendArguments& arguments)
    {
        if (arguments.node == -1) {
            const unsigned first = TRY(check(arguments));
            const unsigned own = first + static_cast<unsigned>(self.node);
            const bool from_host = self.index >= parts_.on_nodes; // then nobody is left out
            return Destinations{first, first + parts_.nodes, own,
                                from_host ? parts_.nodes : parts_.nodes - 1};
        }
        const unsigned to = TRY(check_single(arguments));
        if (endpoint(to).state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        return Destinations{to, to + 1, to + 1, 1};
    }

    // What the process of this endpoint is known as from now on; its old number still finds it. Errors:
    // bad_process, pid_in_use.
    Result<void> rename(EndpointType& self, std::int32_t pid)
    {
        if (pid < 0)
            return std::unexpected(Error::bad_process);
        if (self.index < parts_.on_nodes && pid != self.pid)
            TRY_VOID(names_.set(self.index / parts_.nodes, pid, parts_.on_nodes / parts_.nodes));
        self.pid = self.record->pid = pid;
        return {};
    }

    // The endpoint that a send is for when nothing about it is out of the ordinary, else null.
    [[gnu::always_inline]] EndpointType* ordinary_destination(const SendArguments& arguments,
                                                              bool follows_sends)
    {
        const std::uint64_t index =
            std::uint64_t{static_cast<std::uint32_t>(arguments.address)} * parts_.nodes +
            static_cast<std::uint64_t>(arguments.node);
        const bool ordinary = is_on_node(arguments) && index < parts_.on_nodes &&
                              is_valid_type(arguments.type) && arguments.length >= 0;
        if (!ordinary || follows_sends) [[unlikely]]
            return nullptr;
        EndpointType& to = endpoint(static_cast<unsigned>(index));
        return to.state() == EndpointState::live ? &to : nullptr;
    }

    // The path of a message (README), 3. To one live endpoint, when nobody counts deliveries: 0. Errors:
    // those of post().
    [[gnu::always_inline]] Outcome send_now(EndpointType& self, const SendArguments& arguments,
                                            EndpointType& to)
    {
        Message* const spare = self.pool.take();
        Message& message = spare != nullptr && fill(self, arguments, *spare)
                               ? *spare
                               : *TRY(prepare_all(self, arguments, spare, 1, 0, nullptr));
        message.completion = nullptr;
        message.destination = to.index;
        trace::sending(message);
        if (!put(*to.hop, message)) [[unlikely]]
            return discard_unsent(message);
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
        message.completion = completion;
        message.destination = static_cast<std::uint8_t>(to);
        trace::sending(message);
        const bool asks = this->negotiates(message);
        if (put(*endpoint(to).hop, message)) [[likely]] {
            if (!asks) [[likely]]
                return {};
            return follow_up(self, arguments, copies, message, sent, completion);
        }
        give_up(arguments, {self.index, arguments.buffer, copies}, sent + 1, completion);
        return discard_unsent(message);
    }

    [[gnu::always_inline]] static void address(EndpointType& self, const SendArguments& arguments,
                                               Message& message)
    {
        message.type = static_cast<std::uint32_t>(arguments.type);
        message.context = static_cast<std::uint8_t>(static_cast<std::uint64_t>(arguments.address) >> 32);
        message.from = self;
        message.length = static_cast<std::uint64_t>(arguments.length);
    }

    // The only message of a call, and its bytes. False: not yet, and nothing but the message is held.
    [[gnu::always_inline]] bool fill(EndpointType& self, const SendArguments& arguments, Message& message)
    {
        address(self, arguments, message);
        if (arguments.length == 0)
            return true;
        const Offer offer{self.index, arguments.buffer, 1};
        return parts_.transfer.offer(message, offer).has_value();
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

    // A destination that is on no node: the host, which is alone and so has any pid. Errors: also bad_node.
    [[gnu::noinline]] Result<unsigned> check_host(const SendArguments& arguments)
    {
        SendArguments to_node = arguments;
        to_node.address = 0;
        TRY(check(to_node));
        if (arguments.node != static_cast<long>(parts_.nodes) || parts_.processes == parts_.on_nodes)
            return std::unexpected(Error::bad_node);
        return parts_.on_nodes;
    }

    PidNames names_;

    // The long way to a message with its bytes: from `spare`, if there is one, or the heap. Waits if that can
    // help, else leaves nothing behind.
    [[gnu::noinline]] Result<Message*> prepare_all(EndpointType& self, const SendArguments& arguments,
                                                   Message* spare, unsigned copies, unsigned sent,
                                                   Request* completion)
    {
        const Offer offer{self.index, arguments.buffer, copies};
        Result<Message*> prepared = prepare(self, arguments, offer, spare, sent > 0);
        if (prepared) [[likely]]
            return prepared;
        if (prepared.error() == Error::no_memory)
            prepared = wait_for_budget(self, arguments, offer, sent > 0);
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
        ghost.length = static_cast<std::uint64_t>(arguments.length);
        for (unsigned share = 0; share < missing; ++share)
            if (parts_.transfer.repeat(ghost, offer))
                parts_.transfer.drop(ghost);
    }

    // A message with its bytes, or the reason why not; then nothing is held.
    Result<Message*> prepare(EndpointType& self, const SendArguments& arguments, const Offer& offer,
                             Message* spare, bool again)
    {
        Message* const message = spare != nullptr ? spare : TRY(this->new_message(self));
        address(self, arguments, *message);
        if (message->length == 0)
            return message;
        message->completion = nullptr;
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
                                                       const Offer& offer, bool again)
    {
        if (!parts_.traits.needs_shared &&
            static_cast<std::uint64_t>(arguments.length) > parts_.buffers.largest())
            return std::unexpected(Error::no_memory);
        Result<Message*> prepared = std::unexpected(Error::no_memory);
        WaitDetails waited_for = details(WaitReason::budget, arguments);
        waited_for.restartable = !again; // a broadcast that has begun is finished first
        this->announce_budget_wait(self);
        const Result<void> waited = await(self, waited_for, [&] {
            prepared = prepare(self, arguments, offer, nullptr, again);
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
        Message& message = *TRY(prepare(self, arguments, offer, nullptr, false));
        message.completion = nullptr;
        this->drop_own(message);
        return {};
    }
};

} // namespace parley::messaging
