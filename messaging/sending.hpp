// SPDX-License-Identifier: MIT
// csend: straight to one process, or the long way, and where the Interaction says so until its delivery.
#pragma once

#include "messaging/requesting.hpp"

namespace parley::messaging {

template <class F>
class Sending : public Requesting<F> {
public:
    using typename Requesting<F>::EndpointType;
    using Requesting<F>::Requesting;

protected:
    using typename Requesting<F>::Destinations;
    using Requesting<F>::comes_at_once;
    using Requesting<F>::endpoint;
    using Requesting<F>::parts_;
    using Requesting<F>::put_later;
    using Requesting<F>::tell;

    ~Sending() = default;

    // Where messages go: 0, or minus an error, or an id (Calls::send).
    template <bool awaited>
    [[gnu::always_inline]] static long send_from(EndpointType& self, long type, UserAddress buffer,
                                                 long length, long node, std::uint64_t to)
    {
        return send_straight<awaited>(self, type, buffer, length, node, to, send_refilled<awaited>);
    }

private:
    // The path of a message (README), 3: straight to the process 0 of a node about which nothing is out of
    // the ordinary. Everything else is the business of others, who begin anew; of `refill` when no spare
    // message is there. What is not needed for a message without bytes is in functions of its own, so that
    // next to nothing has to be saved here. `awaited`: csend waits for the delivery.
    template <bool awaited, class Refill>
    [[gnu::always_inline]] static long send_straight(EndpointType& self, long type, UserAddress buffer,
                                                     long length, long node, std::uint64_t to, Refill refill)
    {
        const std::uint64_t nodes = awaited ? self.ordinary.awaited_nodes : self.ordinary.nodes;
        const bool is_usual = static_cast<std::uint64_t>(node) < nodes &&
                              (to & ~PARLEY_SENDER_CONTEXT) == 0 && is_usual_type(type);
        if (!is_usual) [[unlikely]]
            return send_slowly(self, type, buffer, length, node, to);
        EndpointType& destination = self.first[node];
        if (!destination.attention.none()) [[unlikely]]
            return send_slowly(self, type, buffer, length, node, to);
        if (awaited && (&destination == &self || !self.attention.none())) [[unlikely]]
            return send_slowly(self, type, buffer, length, node, to);
        if (length != 0 || trace::reads_messages) [[unlikely]]
            return (awaited ? send_slowly : send_bytes)(self, type, buffer, length, node, to);
        if (!self.pool.has_next()) [[unlikely]]
            return refill(self, type, buffer, length, node, to);
        const auto envelope =
            Envelope::of_words(static_cast<std::uint64_t>(type),
                               self.plain_sender | (to & PARLEY_SENDER_CONTEXT) | self.pool.next_home());
        Message* const refused = destination.port->put(self.pool.next(), envelope);
        self.pool.advance();
        if (refused != nullptr) [[unlikely]]
            return awaited ? put_later_and_await(self, destination, *refused)
                           : put_later(self, destination, *refused);
        tell(self, destination);
        return awaited ? await_straight(self, destination, envelope) : 0;
    }

    // Once in several messages: those that have come back are spare again.
    template <bool awaited>
    [[gnu::noinline, gnu::flatten]] static long send_refilled(EndpointType& self, long type,
                                                              UserAddress buffer, long length, long node,
                                                              std::uint64_t to)
    {
        self.pool.fetch_returned();
        return send_straight<awaited>(self, type, buffer, length, node, to, send_slowly);
    }

    // A message with bytes, to where send_straight() would send it.
    [[gnu::noinline]] static long send_bytes(EndpointType& self, long type, UserAddress buffer, long length,
                                             long node, std::uint64_t to)
    {
        const SendArguments arguments{type, buffer, length, node, to};
        return self.system->Sending::send_packed(self, arguments, self.first[node]);
    }

    // All that is not straight.
    [[gnu::noinline]] static long send_slowly(EndpointType& self, long type, UserAddress buffer, long length,
                                              long node, std::uint64_t to)
    {
        const SendArguments arguments{type, buffer, length, node, to};
        return note_unsent(self, arguments, self.system->Sending::send_otherwise(self, arguments));
    }

    static long note_unsent(EndpointType& self, const SendArguments& arguments, const Outcome& outcome)
    {
        if (outcome.number() != 0) [[unlikely]]
            self.unsent = arguments;
        return outcome.number();
    }

    // With a spare message, and perhaps carried.
    [[gnu::always_inline]] long send_packed(EndpointType& self, const SendArguments& arguments,
                                            EndpointType& to)
    {
        Message* const message = this->packed(self, arguments, to);
        if (message == nullptr) [[unlikely]]
            return note_unsent(self, arguments, this->send_now(self, arguments, to));
        EndpointType& hop = *to.hop;
        if (hop.port->put(*message, *message) != nullptr) [[unlikely]]
            return put_later(self, hop, *message);
        tell(self, hop);
        return 0;
    }

    // The same to another process, until its delivery.
    [[gnu::noinline]] Outcome send_awaited(EndpointType& self, const SendArguments& arguments,
                                           EndpointType& to)
    {
        Message* const message = this->packed(self, arguments, to);
        if (message == nullptr) [[unlikely]]
            return send_anyhow(self, arguments);
        const std::uint32_t place = message->place;
        const Outcome put_there = this->put(self, *to.hop, *message, *message);
        if (!put_there) [[unlikely]]
            return this->refused(*message, put_there.error());
        return await_return(self, arguments, place);
    }

    // With bytes, carried, to all, under a design whose deliveries somebody counts, or what is refused.
    [[gnu::noinline]] Outcome send_otherwise(EndpointType& self, const SendArguments& arguments)
    {
        const bool is_simple =
            !parts_.traits.lends && !parts_.traits.awaits_delivery &&
            (!parts_.traits.negotiates || arguments.length <= static_cast<long>(Negotiation::longest_short));
        if (is_simple)
            if (EndpointType* const to = this->ordinary_destination(arguments))
                return send_packed(self, arguments, *to);
        if (parts_.traits.awaits_delivery && !parts_.traits.negotiates)
            if (EndpointType* const to = this->ordinary_destination(arguments))
                if (to != &self && self.attention.watch() == WatchState::off) [[likely]]
                    return send_awaited(self, arguments, *to);
        return send_anyhow(self, arguments);
    }

    Outcome send_anyhow(EndpointType& self, const SendArguments& arguments)
    {
        const auto to = TRY(this->check_all(self, arguments));
        const bool to_itself = to.count == 1 && to.first == self.index;
        const bool waits = parts_.traits.awaits_delivery && !to_itself;
        if (waits && self.attention.watch() != WatchState::off) [[unlikely]]
            return this->send_watched(self, arguments, to);
        TRY_VOID(this->post(self, arguments, to, completion_for(self, waits, to.count)));
        if (arguments.node != -1 && endpoint(to.first).state() == EndpointState::killed) [[unlikely]]
            return std::unexpected(Error::closed);
        if (waits)
            TRY_VOID(await_delivery(self, arguments, [&] { return self.blocking.delivered(); }));
        return 0;
    }

    // What counts the deliveries that csend itself, or the end of a process that has lent buffers, waits for.
    Request* completion_for(EndpointType& self, bool waits, unsigned messages)
    {
        Request* const completion = waits ? &self.blocking : parts_.traits.lends ? &self.lent : nullptr;
        if (completion != nullptr)
            completion->remaining.fetch_add(messages, std::memory_order_relaxed);
        return completion;
    }

    // A message that comes back to its place has been delivered. Who gives it back looks afterwards whether
    // we want to hear of it, and we look for it after we have said so. Errors: killed.
    template <class Delivered>
    Result<void> await_delivery(EndpointType& self, const SendArguments& arguments, Delivered delivered)
    {
        if (comes_at_once(self.ordinary.turns, delivered))
            return {};
        self.attention.set_wants_delivery(true);
        const Result<void> waited =
            this->await(self, this->details(WaitReason::delivery, arguments), delivered);
        self.attention.set_wants_delivery(false);
        return waited;
    }

    Outcome await_return(EndpointType& self, const SendArguments& arguments, std::uint32_t place)
    {
        TRY_VOID(await_delivery(self, arguments, [&] { return self.pool.has_returned(place); }));
        return 0;
    }

    // The same for a message without bytes.
    [[gnu::always_inline]] static long await_straight(EndpointType& self, EndpointType& to,
                                                      const Envelope& envelope)
    {
        const std::uint32_t place = envelope.home();
        if (comes_at_once(self.ordinary.turns, [&] { return self.pool.has_returned(place); })) [[likely]]
            return 0;
        return await_straight_on(self, to, envelope);
    }

    [[gnu::noinline]] static long await_straight_on(EndpointType& self, EndpointType& to, Envelope envelope)
    {
        const SendArguments arguments{static_cast<long>(envelope.type()), {}, 0, to.stamp.node(), 0};
        return self.system->Sending::await_return(self, arguments, envelope.home()).number();
    }

    [[gnu::noinline]] static long put_later_and_await(EndpointType& self, EndpointType& to, Message& message)
    {
        const Envelope envelope = message;
        const long value = put_later(self, to, message);
        return value != 0 ? value : await_straight(self, to, envelope);
    }
};

} // namespace parley::messaging
