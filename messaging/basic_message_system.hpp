// SPDX-License-Identifier: MIT
// A job's message system, composed. BasicMessageSystem<Factors<>> calls abstract factors; with leaves as
// arguments the very same code, with the same layout, calls them directly. The path of a message: 1 an
// endpoint's send checks and stamps, 2 Transfer::offer takes the bytes, 3 Port::put, then the event moves
// (Arrival::tell); 4 its receiver's endpoint takes it from the port, 5 Transfer::accept brings the bytes, 6
// return_home().
#pragma once

#include "messaging/ending.hpp"

namespace parley::messaging {

template <class F>
class BasicMessageSystem final : public Ending<F> {
    using typename Ending<F>::EndpointType;
    using Ending<F>::endpoint;
    using Ending<F>::parts_;

public:
    explicit BasicMessageSystem(const Parts<F>& parts) : Ending<F>(parts) { }

    Endpoint& endpoint_of(unsigned caller) override { return endpoint(caller); }

    // The calls of endpoints.
    [[gnu::always_inline]] long send_from(EndpointType& self, const SendArguments& arguments)
    {
        if (!self.pool.has_kept()) [[unlikely]]
            return send_refilled(self, arguments);
        return send_with_spare(self, arguments);
    }

    [[gnu::always_inline]] long receive_at(EndpointType& self, const ReceiveArguments& arguments,
                                           Received& found)
    {
        if (arguments.maximum < this->ordinary_.least_maximum) [[unlikely]]
            return receive_checked(self, arguments, found).number();
        return this->template receive_now<WaitReason::message>(self, arguments, found).number();
    }

    [[gnu::always_inline]] long receive_block_at(EndpointType& self, const ReceiveArguments& arguments,
                                                 Received& found)
    {
        if (arguments.maximum < this->ordinary_.least_block_maximum) [[unlikely]]
            return receive_block_checked(self, arguments, found).number();
        return this->template receive_now<WaitReason::block>(self, arguments, found).number();
    }

    Result<Reply> start_send(unsigned caller, const SendArguments& arguments) override
    {
        return this->begin_send(endpoint(caller), arguments);
    }

    Result<Reply> start_receive(unsigned caller, const ReceiveArguments& arguments) override
    {
        TRY_VOID(check_receive(arguments));
        return this->begin_receive(endpoint(caller), this->selector_of(arguments), arguments.buffer,
                                   static_cast<std::uint64_t>(arguments.maximum));
    }

    Result<Reply> done(unsigned caller, long id) override { return this->check_done(endpoint(caller), id); }
    Result<Reply> wait(unsigned caller, long id) override { return this->await_done(endpoint(caller), id); }
    Result<Reply> cancel(unsigned caller, long id) override { return this->withdraw(endpoint(caller), id); }

    Result<Reply> probe(unsigned caller, const ReceiveArguments& arguments, bool may_wait) override
    {
        EndpointType& self = endpoint(caller);
        const Selector selector = this->selector_of(arguments);
        Result<Reply> found = Reply{};
        if (!may_wait) {
            TRY_VOID(this->advance(self));
            return look(self, selector);
        }
        TRY_VOID(this->await(self, {WaitReason::probe, arguments.typesel, 0, selector.node(), true}, [&] {
            found = look(self, selector);
            return !found || found->value != 0;
        }));
        return found;
    }

    Result<Reply> watch(unsigned caller, long id) override
    {
        EndpointType& self = endpoint(caller);
        if (id > 0)
            return this->watch_request(self, id);
        this->set_watch(self, id == watch_off ? WatchState::off : WatchState::armed);
        return Reply{};
    }

    Result<Reply> allocate(unsigned caller, long bytes, long alignment) override
    {
        if (bytes < 0 || alignment < 0)
            return std::unexpected(Error::bad_length);
        const auto block =
            TRY(parts_.blocks.allocate(caller, static_cast<std::size_t>(bytes),
                                       alignment == 0 ? 1 : static_cast<std::size_t>(alignment)));
        return Reply{.value = static_cast<long>(block)};
    }

    Result<Reply> release(unsigned caller, UserAddress block) override
    {
        TRY_VOID(parts_.blocks.release(caller, block.value));
        return Reply{};
    }

    Result<void> deliver(unsigned carrier) override;

    Result<void> set_pid(unsigned index, std::int32_t pid) override
    {
        return this->rename(endpoint(index), pid);
    }

    std::span<const WaitRecord> records() const override { return parts_.records; }
    std::size_t leaks() const override { return parts_.buffers.used_units() + parts_.blocks.used_units(); }

private:
    [[gnu::always_inline]] long send_with_spare(EndpointType& self, const SendArguments& arguments)
    {
        return this->send_straight(self, arguments, [&] { return send_otherwise(self, arguments).number(); });
    }

    // Once in several messages: those that have come back are spare again.
    [[gnu::noinline, gnu::flatten]] long send_refilled(EndpointType& self, const SendArguments& arguments)
    {
        self.pool.fetch_returned();
        return self.pool.has_kept() ? send_with_spare(self, arguments)
                                    : send_otherwise(self, arguments).number();
    }

    // What counts the deliveries that csend itself, or the end of a process that has lent buffers, waits for.
    Request* completion_for(EndpointType& self, bool waits, unsigned messages)
    {
        Request* const completion = waits ? &self.blocking : parts_.traits.lends ? &self.lent : nullptr;
        if (completion != nullptr)
            completion->remaining.fetch_add(messages, std::memory_order_relaxed);
        return completion;
    }

    [[gnu::noinline]] Result<void> await_delivery(EndpointType& self, const SendArguments& arguments)
    {
        const auto delivered = [&] { return self.blocking.delivered(); };
        if (this->comes_at_once(this->brief_turns(), delivered))
            return {};
        return this->await(self, this->details(WaitReason::delivery, arguments), delivered);
    }

    // To one other process, whose delivery csend waits for, with a spare message.
    [[gnu::noinline]] Outcome send_awaited(EndpointType& self, const SendArguments& arguments,
                                           EndpointType& to)
    {
        TRY_VOID(this->send_counted(self, arguments, to, self.blocking));
        if (to.state() == EndpointState::killed) [[unlikely]]
            return std::unexpected(Error::closed);
        TRY_VOID(await_delivery(self, arguments));
        return 0;
    }

    // To all, to one under a design whose deliveries somebody counts, or what is refused.
    [[gnu::noinline]] Outcome send_otherwise(EndpointType& self, const SendArguments& arguments)
    {
        const bool is_simple =
            !parts_.traits.lends && !parts_.traits.awaits_delivery &&
            (!parts_.traits.negotiates || arguments.length <= static_cast<long>(Negotiation::longest_short));
        if (is_simple)
            if (EndpointType* const to = this->ordinary_destination(arguments))
                return self.pool.has_kept() ? this->send_packed(self, arguments, *to, self.pool.take_place())
                                            : this->send_now(self, arguments, *to).number();
        if (parts_.traits.awaits_delivery && !parts_.traits.negotiates)
            if (EndpointType* const to = this->ordinary_destination(arguments))
                if (to != &self && self.attention.watch() == WatchState::off && self.pool.has_kept())
                    [[likely]]
                    return send_awaited(self, arguments, *to);
        const auto to = TRY(this->check_all(self, arguments));
        const bool to_itself = to.count == 1 && to.first == self.index;
        const bool waits = parts_.traits.awaits_delivery && !to_itself;
        if (waits && self.attention.watch() != WatchState::off) [[unlikely]]
            return this->send_watched(self, arguments, to);
        TRY_VOID(this->post(self, arguments, to, completion_for(self, waits, to.count)));
        if (arguments.node != -1 && endpoint(to.first).state() == EndpointState::killed) [[unlikely]]
            return std::unexpected(Error::closed);
        if (waits)
            TRY_VOID(await_delivery(self, arguments));
        return 0;
    }

    [[gnu::noinline]] Outcome receive_checked(EndpointType& self, const ReceiveArguments& arguments,
                                              Received& found)
    {
        TRY_VOID(check_receive(arguments));
        return receive_somehow<WaitReason::message>(self, arguments, found);
    }

    [[gnu::noinline]] Outcome receive_block_checked(EndpointType& self, const ReceiveArguments& arguments,
                                                    Received& found)
    {
        TRY_VOID(check_receive_block(arguments));
        return receive_somehow<WaitReason::block>(self, arguments, found);
    }

    template <WaitReason reason>
    Outcome receive_somehow(EndpointType& self, const ReceiveArguments& arguments, Received& found)
    {
        if (parts_.traits.negotiates)
            return this->receive_seen(self, arguments, reason, found);
        return this->template receive_now<reason>(self, arguments, found);
    }

    Result<void> check_receive(const ReceiveArguments& arguments)
    {
        if (parts_.traits.hands_over)
            return std::unexpected(Error::needs_crecvp);
        return check_receive_block(arguments);
    }

    Result<void> check_receive_block(const ReceiveArguments& arguments)
    {
        if (arguments.maximum < 0)
            return std::unexpected(Error::bad_length);
        const auto maximum = static_cast<std::size_t>(arguments.maximum);
        const bool must_share = parts_.traits.needs_shared && !parts_.traits.hands_over && maximum > 0;
        if (must_share && !parts_.location.shares(arguments.buffer, maximum))
            return std::unexpected(Error::not_shared);
        return {};
    }

    // Value 1 and the first unexpected message that the selector names, or value 0. Errors: killed.
    Result<Reply> look(EndpointType& self, const Selector& selector)
    {
        TRY_VOID(this->lock(self));
        Message* previous = nullptr;
        const Message* const message = this->find_unexpected(self, selector, previous);
        Reply reply;
        if (message != nullptr)
            reply = {.value = 1,
                     .type = static_cast<long>(message->type()),
                     .block = static_cast<long>(message->length()),
                     .node = message->node(),
                     .pid = message->pid()};
        this->unlock(self);
        return reply;
    }

    bool all_have_ended()
    {
        for (unsigned index = 0; index < parts_.processes; ++index)
            if (endpoint(index).state() == EndpointState::live)
                return false;
        return true;
    }

    // The oldest message for the carrier, or null. Errors: killed.
    Result<Message*> next_to_carry(EndpointType& self);
};

template <class F>
Result<Message*> BasicMessageSystem<F>::next_to_carry(EndpointType& self)
{
    TRY_VOID(this->lock(self));
    Message* message = self.unexpected.pop_front();
    if (message == nullptr)
        message = this->take(self);
    this->unlock(self);
    return message;
}

template <class F>
Result<void> BasicMessageSystem<F>::deliver(unsigned carrier)
{
    EndpointType& self = endpoint(carrier);
    for (;;) {
        const std::uint32_t seen = this->sequence(self);
        if (Message* const message = TRY(next_to_carry(self))) {
            if (message->length() > 0)
                parts_.transfer.relay(*message);
            EndpointType& to = endpoint(message->destination);
            const bool asks = this->negotiates(*message);
            const Outcome result = this->put(to, *message, *message);
            if (!result && result.error() != Error::closed) {
                this->discard(*message);
                return std::unexpected(result.error());
            }
            if (asks)
                TRY_VOID(this->drain(to)); // the answer that its sender waits for
            continue;
        }
        if (all_have_ended())
            return {};
        TRY_VOID(Ending<F>::wait(self, {WaitReason::carrying, 0, 0, -1}, seen));
    }
}

} // namespace parley::messaging
