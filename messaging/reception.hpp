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

    // Whether a receive that finds nothing looks again for some time before it begins to wait in earnest.
    enum class Look : std::uint8_t { first, last };

    // The path of a message (README), 6. Receives whatever a selector names, waiting for it as long as
    // needed; the message's length. Errors: message_too_long (the message stays), killed, and those of
    // Transfer::accept. What is not needed when a message without bytes is there, and suits, is in functions
    // of its own: next to nothing has to be saved here.
    template <WaitReason reason, Look look = Look::first>
    [[gnu::always_inline]] Outcome receive_now(EndpointType& self, const ReceiveArguments& arguments,
                                               Received& found)
    {
        if (!self.lock.take_free()) [[unlikely]]
            return receive_after_contention<reason>(self, arguments, found);
        if (!nothing_older(self)) [[unlikely]]
            return receive_later<reason>(self, arguments, found, nullptr);
        Envelope envelope;
        Message* const message = self.port->take(envelope);
        Reception& system = *self.system; // this object, which so need not be kept through the call
        if (message == nullptr && look == Look::first)
            return system.template receive_awaited<reason>(self, arguments, found);
        if (message == nullptr)
            return system.template receive_later<reason>(self, arguments, found, nullptr);
        if (!suits(arguments, envelope)) [[unlikely]] {
            message->unpack(envelope);
            return system.template receive_later<reason>(self, arguments, found, message);
        }
        system.unlock(self);
        if (envelope.length() != 0 || trace::reads_messages)
            return system.accept_packed(self, arguments, found, *message, envelope);
        const UserAddress buffer = arguments.buffer; // what is found may be written over the arguments
        tell_of(envelope, found);
        if (reason == WaitReason::block)
            found.block = static_cast<long>(buffer.value);
        return system.return_home(*message, envelope);
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
            TRY_VOID(drain(self));
        if (self.has_matched.load(std::memory_order_acquire) != 0)
            TRY_VOID(accept_matched(self));
        return {};
    }

    // The message is the caller's alone. Afterwards it is nobody's, also when this fails.
    Outcome accept(EndpointType& self, Message& message, UserAddress buffer, Received& found)
    {
        const Envelope envelope = message;
        return accept_enveloped(self, message, envelope, buffer, found);
    }

    // Without its bytes: the copy failed, or they were lent by a process that was killed and may be gone.
    [[gnu::noinline]] Outcome accept_nothing(Message& message, const Envelope& envelope, Error error)
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
    Result<Message*> search_locked(EndpointType& self, const ReceiveArguments& arguments, Message* taken,
                                   std::uint32_t seen)
    {
        const Selector selector = selector_of(arguments);
        Message* previous = nullptr;
        if (Message* const message = find_unexpected(self, selector, previous)) {
            if (message->length() > static_cast<std::uint64_t>(arguments.maximum))
                return std::unexpected(Error::message_too_long);
            return self.unexpected.remove_after(previous);
        }
        bool failed = false;
        for (Message* message = taken; message != nullptr || (message = this->take(self)) != nullptr;
             message = nullptr) {
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
            TRY_VOID(this->lock(self));
            Request* const request = self.matched.pop_front();
            if (request == nullptr)
                self.has_matched.store(0, std::memory_order_relaxed);
            this->unlock(self);
            if (request == nullptr)
                return {};
            TRY_VOID(finish(self, *request));
        }
    }

private:
    // The same for one with bytes that has just come out of the port.
    [[gnu::noinline]] Outcome accept_packed(EndpointType& self, const ReceiveArguments& arguments,
                                            Received& found, Message& message, Envelope envelope)
    {
        if constexpr (trace::reads_messages)
            message.unpack(envelope);
        trace::matched(message);
        return accept_enveloped(self, message, envelope, arguments.buffer, found);
    }

    [[gnu::always_inline]] Outcome accept_enveloped(EndpointType& self, Message& message,
                                                    const Envelope& envelope, UserAddress buffer,
                                                    Received& found)
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
        tell_of(envelope, found);
        found.block = static_cast<long>(buffer.value);
        trace::received(message);
        (void)this->return_home(message, envelope);
        this->tell_of_budget();
        return static_cast<long>(envelope.length());
    }

    [[gnu::always_inline]] static void tell_of(const Envelope& envelope, Received& found)
    {
        found.type = static_cast<long>(envelope.type());
        found.node = envelope.node();
        found.pid = envelope.pid();
    }

    template <WaitReason reason>
    [[gnu::noinline]] Outcome receive_after_contention(EndpointType& self, const ReceiveArguments& arguments,
                                                       Received& found)
    {
        TRY_VOID(parts_.synchronization.contend(self.lock));
        return receive_later<reason>(self, arguments, found, nullptr);
    }

    // Nothing has been found, and the lock is held.
    template <WaitReason reason>
    [[gnu::noinline]] Outcome receive_awaited(EndpointType& self, const ReceiveArguments& arguments,
                                              Received& found)
    {
        const unsigned turns = this->brief_turns();
        if (turns == 0 || self.has_matched.load(std::memory_order_relaxed) != 0)
            return receive_later<reason>(self, arguments, found, nullptr);
        const Bell bell = self.port->bell();
        this->unlock(self);
        (void)this->comes_at_once(turns, [&] { return bell.rings(); });
        return receive_once_more<reason>(self, arguments, found);
    }

    // In a ping-pong this is the usual way.
    template <WaitReason reason>
    [[gnu::noinline, gnu::flatten]] Outcome receive_once_more(EndpointType& self,
                                                              const ReceiveArguments& arguments,
                                                              Received& found)
    {
        return receive_now<reason, Look::last>(self, arguments, found);
    }

    static bool nothing_older(EndpointType& self) { return self.unexpected.empty() && self.posted.empty(); }

    // Where the short way ends: the lock is held, and `taken`, if any, has come from the port and does not
    // suit.
    template <WaitReason reason>
    [[gnu::noinline]] Outcome receive_later(EndpointType& self, const ReceiveArguments& arguments,
                                            Received& found, Message* taken)
    {
        for (;;) {
            const std::uint32_t seen = sequence(self);
            const Result<Message*> message = search_locked(self, arguments, taken, seen);
            this->unlock(self);
            if (TRY(message) != nullptr) {
                trace::matched(**message);
                return accept(self, **message, arguments.buffer, found);
            }
            TRY_VOID(wait_for_arrival(self, arguments, reason, seen));
            TRY_VOID(this->lock(self));
            taken = nullptr;
        }
    }

    Result<void> finish(EndpointType& self, Request& request)
    {
        Received found{};
        const Outcome length = accept(self, *request.message, request.buffer, found);
        request.message = nullptr;
        if (length) {
            // done tells the length as the block
            request.reply = {*length, found.type, *length, found.node, found.pid};
            request.state.store(RequestState::finished, std::memory_order_release);
            return {};
        }
        request.error = length.error();
        request.state.store(RequestState::failed, std::memory_order_release);
        if (length.error() == Error::killed)
            return std::unexpected(Error::killed);
        return {};
    }
};

} // namespace parley::messaging
