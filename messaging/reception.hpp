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
    using Arrival<F>::matches;
    using Arrival<F>::parts_;
    using Arrival<F>::retire;
    using Arrival<F>::sequence;
    using Arrival<F>::wait;

    ~Reception() = default;

    // Receives whatever a selector names, waiting for it as long as needed. Errors: message_too_long (the
    // message stays), killed, and those of Transfer::accept.
    [[gnu::always_inline]] Result<Reply> receive_now(EndpointType& self, const ReceiveArguments& arguments,
                                                     WaitReason reason)
    {
        const Selector selector = selector_of(arguments);
        for (;;) {
            const std::uint32_t seen = sequence(self);
            if (Message* const message =
                    TRY(take(self, selector, static_cast<std::uint64_t>(arguments.maximum), seen))) {
                trace::matched(*message);
                return accept(self, *message, arguments.buffer);
            }
            TRY_VOID(wait_for_arrival(self, arguments, reason, seen));
        }
    }

    static Selector selector_of(const ReceiveArguments& arguments)
    {
        return {.types = static_cast<std::int32_t>(arguments.typesel),
                .node = static_cast<std::int32_t>(arguments.nodesel),
                .pid = static_cast<std::int32_t>(arguments.address),
                .context = static_cast<std::uint32_t>(static_cast<std::uint64_t>(arguments.address) >> 32)};
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

    [[gnu::always_inline]] Reply describe(const Message& message)
    {
        const EndpointType& source = endpoint(message.source);
        const long from =
            static_cast<long>(static_cast<std::uint32_t>(source.node)) | static_cast<long>(source.pid) << 32;
        return {.value = static_cast<long>(message.length),
                .type = static_cast<long>(message.type),
                .source = from,
                .block = 0};
    }

    // The message is the caller's alone. Afterwards it is nobody's, also when this fails.
    [[gnu::always_inline]] Result<Reply> accept(EndpointType& self, Message& message, UserAddress buffer)
    {
        Reply reply = describe(message);
        reply.block = static_cast<long>(buffer.value);
        if (message.length > 0) {
            // Lent bytes of a process that was killed may be gone.
            if (parts_.traits.lends && endpoint(message.source).state() == EndpointState::killed) {
                discard(message);
                return std::unexpected(Error::closed);
            }
            const Result<UserAddress> place = parts_.transfer.accept(message, self.index, buffer);
            trace::received(message);
            retire(message);
            reply.block = static_cast<long>(TRY(place).value);
            return reply;
        }
        trace::received(message);
        retire(message);
        return reply;
    }

private:
    [[gnu::noinline]] Result<void> wait_for_arrival(EndpointType& self, const ReceiveArguments& arguments,
                                                    WaitReason reason, std::uint32_t seen)
    {
        if (self.has_matched.load(std::memory_order_acquire) != 0)
            TRY_VOID(accept_matched(self));
        return wait(self, {reason, arguments.typesel, arguments.maximum, static_cast<int>(arguments.nodesel)},
                    seen);
    }

    // The first message a selector names, unlinked, or null. Errors: message_too_long, killed.
    [[gnu::always_inline]] Result<Message*> take(EndpointType& self, const Selector& selector,
                                                 std::uint64_t maximum, std::uint32_t seen)
    {
        TRY_VOID(parts_.synchronization.acquire(self.lock));
        const Result<Message*> message = take_locked(self, selector, maximum, seen);
        parts_.synchronization.release(self.lock);
        return message;
    }

    [[gnu::always_inline]] Result<Message*> take_locked(EndpointType& self, const Selector& selector,
                                                        std::uint64_t maximum, std::uint32_t seen)
    {
        if (!self.unexpected.empty()) {
            Message* previous = nullptr;
            if (Message* const message = find_unexpected(self, selector, previous)) {
                if (message->length > maximum)
                    return std::unexpected(Error::message_too_long);
                return self.unexpected.remove_after(previous);
            }
        }
        bool failed = false;
        while (Message* const message = self.port->take()) {
            if (!self.posted.empty() && match_posted(self, *message, failed))
                continue;
            if (matches(selector, *message) && message->length <= maximum)
                return message;
            self.unexpected.push_back(*message);
            if (matches(selector, *message))
                return std::unexpected(Error::message_too_long);
        }
        self.drained.store(seen, std::memory_order_relaxed);
        return nullptr;
    }

    [[gnu::noinline]] Result<void> accept_matched(EndpointType& self)
    {
        for (;;) {
            TRY_VOID(parts_.synchronization.acquire(self.lock));
            Request* const request = self.matched.pop_front();
            if (request == nullptr)
                self.has_matched.store(0, std::memory_order_relaxed);
            parts_.synchronization.release(self.lock);
            if (request == nullptr)
                return {};
            TRY_VOID(finish(self, *request));
        }
    }

    Result<void> finish(EndpointType& self, Request& request)
    {
        const Result<Reply> reply = accept(self, *request.message, request.buffer);
        request.message = nullptr;
        if (reply) {
            request.reply = *reply;
            request.reply.block = reply->value; // done and probe tell the length there
            request.state.store(RequestState::finished, std::memory_order_release);
            return {};
        }
        request.error = reply.error();
        request.state.store(RequestState::failed, std::memory_order_release);
        if (reply.error() == Error::killed)
            return std::unexpected(Error::killed);
        return {};
    }
};

} // namespace parley::messaging
