// SPDX-License-Identifier: MIT
// The receiver's side: finding a message, bringing its bytes home, and doing so for posted receives whenever
// the process waits for anything, so that nobody waits for a receive which has been posted.
#pragma once

#include "messaging/arrival.hpp"

namespace parley::messaging {

template <class F>
class Reception : public Arrival<F> {
public:
    using typename Arrival<F>::EndpointType;
    using Arrival<F>::Arrival;

protected:
    using Arrival<F>::discard;
    using Arrival<F>::drain;
    using Arrival<F>::endpoint;
    using Arrival<F>::find_unexpected;
    using Arrival<F>::match_posted;
    using Arrival<F>::parts_;
    using Arrival<F>::retire;
    using Arrival<F>::sequence;
    using Arrival<F>::wait;

    ~Reception() = default;

    // The path of a message (README), 6. Receives whatever a selector names, waiting for it as long as
    // needed. Errors: message_too_long (the message stays), killed, and those of Transfer::accept. What is
    // not needed for a message without bytes that suits is in functions of its own: next to nothing has to be
    // saved here. The lock is kept while the port is looked at for what may come at once: others want it only
    // for a port that is full.
    template <WaitReason reason>
    [[gnu::always_inline]] static Found receive_now(EndpointType& self, const ReceiveArguments& arguments)
    {
        if (!self.lock.take_free(self.own_lock)) [[unlikely]]
            return receive_after_contention<reason>(self, arguments);
        if (!nothing_older(self)) [[unlikely]]
            return receive_later<reason>(self, arguments);
        const Found taken = self.port->take(self.ordinary.turns);
        const Envelope envelope = taken.envelope();
        if (!envelope.is_plain() || !selector_of(arguments).names(envelope))
            return receive_taken<reason>(self, arguments, taken);
        self.lock.set_free();
        if (reason == WaitReason::block)
            self.block = arguments.buffer;
        return Core<F>::return_to_pool(self.first[envelope.source()], taken);
    }

    // Of a request: done tells the length as the block.
    static Reply reply_of(const Envelope& envelope)
    {
        const auto length = static_cast<long>(envelope.length());
        return {.value = length,
                .type = static_cast<long>(envelope.type()),
                .block = length,
                .node = envelope.node(),
                .pid = envelope.pid()};
    }

    static Selector selector_of(const ReceiveArguments& arguments)
    {
        return {static_cast<std::int32_t>(arguments.typesel), arguments.from, arguments.mask};
    }

    // Waits until `is_done` holds, accepting for posted receives meanwhile.
    template <class Done>
    Result<void> await(EndpointType& self, const WaitDetails& details, Done is_done)
    {
        for (;;) {
            const std::uint32_t seen = sequence(self);
            if (is_done())
                return {};
            TRY_VOID(advance(self));
            if (is_done())
                return {};
            TRY_VOID(wait(self, details, seen));
        }
    }

    // Empties the own port and accepts for posted receives that have their message.
    Result<void> advance(EndpointType& self)
    {
        if (sequence(self) != self.drained.load(std::memory_order_relaxed))
            TRY_VOID(drain(self, self));
        if (self.has_matched.load(std::memory_order_acquire) != 0)
            TRY_VOID(accept_matched(self));
        return {};
    }

    // The message is the caller's alone. Afterwards it is nobody's, also when this fails.
    Found accept(EndpointType& self, Message& message, UserAddress buffer)
    {
        const Envelope envelope = message;
        return accept_enveloped(self, message, envelope, buffer);
    }

    // Without its bytes: the copy failed, or they were lent by a process that was killed and may be gone.
    [[gnu::noinline]] Found accept_nothing(Message& message, const Envelope& envelope, Error error)
    {
        message.unpack(envelope);
        trace::received(message);
        if (error == Error::closed)
            discard(message);
        else
            retire(message);
        return std::unexpected(error);
    }

    Result<void> wait_for_arrival(EndpointType& self, const ReceiveArguments& arguments, WaitReason reason,
                                  std::uint32_t seen)
    {
        if (self.has_matched.load(std::memory_order_acquire) != 0)
            TRY_VOID(accept_matched(self));
        const int node = selector_of(arguments).node();
        return wait(self, {reason, arguments.typesel, arguments.maximum, node, true}, seen);
    }

    [[gnu::always_inline]] static bool suits(const ReceiveArguments& arguments, const Envelope& envelope)
    {
        return selector_of(arguments).takes(envelope) &&
               envelope.length() <= static_cast<std::uint64_t>(arguments.maximum);
    }

    // The first message a selector names, unlinked, or null. Errors: message_too_long.
    Result<Message*> search_locked(EndpointType& self, const ReceiveArguments& arguments, std::uint32_t seen)
    {
        const Selector selector = selector_of(arguments);
        Message* previous = nullptr;
        if (Message* const message = find_unexpected(self, selector, previous)) {
            if (message->length() > static_cast<std::uint64_t>(arguments.maximum))
                return std::unexpected(Error::message_too_long);
            return self.unexpected.remove_after(previous);
        }
        bool failed = false;
        while (Message* const message = this->take(self)) {
            if (!self.posted.empty() && match_posted(self, *message, failed))
                continue;
            if (suits(arguments, *message))
                return message;
            this->keep_unexpected(self, *message);
            if (selector.takes(*message))
                return std::unexpected(Error::message_too_long);
        }
        self.drained.store(seen, std::memory_order_relaxed);
        return nullptr;
    }

    [[gnu::noinline]] Result<void> accept_matched(EndpointType& self)
    {
        for (;;) {
            TRY_VOID(this->lock(self, self));
            Request* const request = self.matched.pop_front();
            if (request == nullptr)
                self.has_matched.store(0, std::memory_order_relaxed);
            this->unlock(self, self);
            if (request == nullptr)
                return {};
            TRY_VOID(finish(self, *request));
        }
    }

private:
    // What has come out of the port is not plain, or not named, or nothing. The lock is held.
    template <WaitReason reason>
    [[gnu::noinline]] static Found receive_taken(EndpointType& self, const ReceiveArguments& arguments,
                                                 Found taken)
    {
        if (!taken)
            return receive_later<reason>(self, arguments);
        const Envelope envelope = taken.envelope();
        if (!suits(arguments, envelope)) [[unlikely]]
            return receive_another<reason>(self, arguments, envelope);
        Message& message = self.port->taken();
        Core<F>::unlock(self, self);
        if constexpr (trace::reads_messages)
            message.unpack(envelope);
        trace::matched(message);
        return self.system->Reception::accept_enveloped(self, message, envelope, arguments.buffer);
    }

    [[gnu::always_inline]] Found accept_enveloped(EndpointType& self, Message& message,
                                                  const Envelope& envelope, UserAddress buffer)
    {
        if (envelope.length() != 0) {
            if (parts_.traits.lends && endpoint(envelope.source()).state() == EndpointState::killed)
                [[unlikely]]
                return accept_nothing(message, envelope, Error::closed);
            const Result<UserAddress> place = parts_.transfer.accept(message, self.index, buffer);
            if (!place) [[unlikely]]
                return accept_nothing(message, envelope, place.error());
            buffer = *place;
        }
        self.block = buffer;
        trace::received(message);
        this->return_home(message, envelope);
        this->tell_of_budget();
        return envelope;
    }

    template <WaitReason reason>
    [[gnu::noinline]] static Found receive_after_contention(EndpointType& self,
                                                            const ReceiveArguments& arguments)
    {
        TRY_VOID(self.system->Reception::parts_.synchronization.contend(self.lock, self.party));
        return receive_later<reason>(self, arguments);
    }

    // With nothing older, and unlike what is wanted. The lock is held.
    template <WaitReason reason>
    [[gnu::noinline]] static Found receive_another(EndpointType& self, const ReceiveArguments& arguments,
                                                   Envelope envelope)
    {
        Message& message = self.port->taken();
        message.unpack(envelope);
        self.system->Reception::keep_unexpected(self, message);
        return receive_later<reason>(self, arguments);
    }

    static bool nothing_older(EndpointType& self)
    {
        return self.unexpected.empty() && self.posted.empty() &&
               self.has_matched.load(std::memory_order_relaxed) == 0;
    }

    // Where the short way ends: the lock is held.
    template <WaitReason reason>
    [[gnu::noinline]] static Found receive_later(EndpointType& self, const ReceiveArguments& arguments)
    {
        return self.system->Reception::receive_patiently(self, arguments, reason);
    }

    Found receive_patiently(EndpointType& self, const ReceiveArguments& arguments, WaitReason reason)
    {
        for (;;) {
            const std::uint32_t seen = sequence(self);
            const Result<Message*> message = search_locked(self, arguments, seen);
            this->unlock(self, self);
            if (TRY(message) != nullptr) {
                trace::matched(**message);
                return accept(self, **message, arguments.buffer);
            }
            TRY_VOID(wait_for_arrival(self, arguments, reason, seen));
            TRY_VOID(this->lock(self, self));
        }
    }

    Result<void> finish(EndpointType& self, Request& request)
    {
        const Found found = accept(self, *request.message, request.buffer);
        request.message = nullptr;
        if (found) {
            request.found = found.envelope();
            request.state.store(RequestState::finished, std::memory_order_release);
            return {};
        }
        request.error = found.error();
        request.state.store(RequestState::failed, std::memory_order_release);
        if (found.error() == Error::killed)
            return std::unexpected(Error::killed);
        return {};
    }
};

} // namespace parley::messaging
