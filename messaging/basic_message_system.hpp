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

    // Once for each endpoint, before the first call.
    void admit(EndpointType& self)
    {
        self.system = this;
        self.first = parts_.endpoints.data();
        const bool is_plain = !Ending<F>::marks_waiters(self) && !trace::reads_messages;
        self.ordinary =
            Ordinary(parts_.traits, parts_.nodes, platform::brief_turns(), is_plain ? Envelope::plain : 0);
        self.set_name(self.record->node, self.record->pid);
    }

    Calls calls_of(unsigned caller) override
    {
        const auto send = parts_.traits.awaits_straight() ? &EndpointType::send_awaited : &EndpointType::send;
        return {&endpoint(caller), send, &EndpointType::receive, &EndpointType::receive_block};
    }

    // The calls of endpoints.
    using Ending<F>::send_from;

    [[gnu::always_inline]] static Found receive_at(EndpointType& self, const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= self.ordinary.least_checked) [[unlikely]]
            return receive_checked(self, arguments);
        return Ending<F>::template receive_now<WaitReason::message>(self, arguments);
    }

    [[gnu::always_inline]] static Found receive_block_at(EndpointType& self,
                                                         const ReceiveArguments& arguments)
    {
        if (static_cast<std::uint64_t>(arguments.maximum) >= self.ordinary.least_checked_block) [[unlikely]]
            return receive_block_checked(self, arguments);
        return Ending<F>::template receive_now<WaitReason::block>(self, arguments);
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
    [[gnu::noinline]] static Found receive_checked(EndpointType& self, const ReceiveArguments& arguments)
    {
        TRY_VOID(self.system->check_receive(arguments));
        return self.system->template receive_somehow<WaitReason::message>(self, arguments);
    }

    [[gnu::noinline]] static Found receive_block_checked(EndpointType& self,
                                                         const ReceiveArguments& arguments)
    {
        TRY_VOID(self.system->check_receive_block(arguments));
        return self.system->template receive_somehow<WaitReason::block>(self, arguments);
    }

    template <WaitReason reason>
    Found receive_somehow(EndpointType& self, const ReceiveArguments& arguments)
    {
        if (parts_.traits.negotiates)
            return this->receive_seen(self, arguments, reason);
        return this->template receive_now<reason>(self, arguments);
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
        TRY_VOID(this->lock(self, self));
        Message* previous = nullptr;
        const Message* const message = this->find_unexpected(self, selector, previous);
        Reply reply;
        if (message != nullptr) {
            reply = this->reply_of(*message);
            reply.value = 1;
        }
        this->unlock(self, self);
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
    TRY_VOID(this->lock(self, self));
    Message* message = self.unexpected.pop_front();
    if (message == nullptr)
        message = this->take(self);
    this->unlock(self, self);
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
            const Outcome result = this->put(self, to, *message, *message);
            if (!result && result.error() != Error::closed) {
                this->discard(*message);
                return std::unexpected(result.error());
            }
            if (asks)
                TRY_VOID(this->drain(self, to)); // the answer that its sender waits for
            continue;
        }
        if (all_have_ended())
            return {};
        TRY_VOID(Ending<F>::wait(self, {WaitReason::carrying, 0, 0, -1}, seen));
    }
}

} // namespace parley::messaging
