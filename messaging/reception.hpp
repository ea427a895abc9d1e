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

    // The path of a message (README), 6. Receives whatever a selector names, waiting for it as long as
    // needed; the message's length. Errors: message_too_long (the message stays), killed, and those of
    // Transfer::accept.
    [[gnu::always_inline]] Outcome receive_now(EndpointType& self, const ReceiveArguments& arguments,
                                               WaitReason reason, Received& found)
    {
        for (bool looked = false;; looked = true) {
            TRY_VOID(parts_.synchronization.acquire(self.lock));
            Message* message = nullptr;
            if (self.unexpected.empty() && self.posted.empty()) [[likely]] {
                message = self.port->take();
                if (message != nullptr && suits(arguments, *message)) [[likely]] {
                    parts_.synchronization.release(self.lock);
                    trace::matched(*message);
                    return accept(self, *message, arguments.buffer, found);
                }
            }
            if (message != nullptr || looked || !look_out(self))
                return receive_later(self, arguments, message, reason, found);
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

    // The message is the caller's alone. Afterwards it is nobody's, also when this fails.
    [[gnu::always_inline]] Outcome accept(EndpointType& self, Message& message, UserAddress buffer,
                                          Received& found)
    {
        const auto length = static_cast<long>(message.length);
        if (length > 0) {
            if (parts_.traits.lends && endpoint(message.source).state() == EndpointState::killed) [[unlikely]]
                return accept_nothing(message, Error::closed);
            const Result<UserAddress> place = parts_.transfer.accept(message, self.index, buffer);
            if (!place) [[unlikely]]
                return accept_nothing(message, place.error());
            buffer = *place;
        }
        found = {.type = static_cast<long>(message.type),
                 .block = static_cast<long>(buffer.value),
                 .source = message.from.number()};
        trace::received(message);
        retire(message);
        return length;
    }

    // Without its bytes: the copy failed, or they were lent by a process that was killed and may be gone.
    [[gnu::noinline]] Outcome accept_nothing(Message& message, Error error)
    {
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
        const auto node = static_cast<int>(arguments.nodesel);
        return wait(self, {reason, arguments.typesel, arguments.maximum, node, true}, seen);
    }

    [[gnu::always_inline]] static bool suits(const ReceiveArguments& arguments, const Message& message)
    {
        return matches(selector_of(arguments), message) &&
               message.length <= static_cast<std::uint64_t>(arguments.maximum);
    }

    // The first message a selector names, unlinked, or null. Errors: message_too_long.
    Result<Message*> search_locked(EndpointType& self, const ReceiveArguments& arguments, Message* taken,
                                   std::uint32_t seen)
    {
        const Selector selector = selector_of(arguments);
        Message* previous = nullptr;
        if (Message* const message = find_unexpected(self, selector, previous)) {
            if (message->length > static_cast<std::uint64_t>(arguments.maximum))
                return std::unexpected(Error::message_too_long);
            return self.unexpected.remove_after(previous);
        }
        bool failed = false;
        for (Message* message = taken; message != nullptr || (message = self.port->take()) != nullptr;
             message = nullptr) {
            if (!self.posted.empty() && match_posted(self, *message, failed))
                continue;
            if (suits(arguments, *message))
                return message;
            this->keep_unexpected(self, *message);
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

private:
    // Nothing has been found, and the lock is held. True: something has come at once, and the lock is free.
    [[gnu::noinline]] bool look_out(EndpointType& self)
    {
        const unsigned turns = this->brief_turns();
        if (turns == 0 || self.has_matched.load(std::memory_order_relaxed) != 0)
            return false;
        const Bell bell = self.port->bell();
        parts_.synchronization.release(self.lock);
        if (this->comes_at_once(turns, [&] { return bell.rings(); }))
            return true;
        this->acquire_always(self);
        return false;
    }

    // Where the short way ends: the lock is held, and `taken`, if any, has come from the port and does not
    // suit.
    [[gnu::noinline]] Outcome receive_later(EndpointType& self, const ReceiveArguments& arguments,
                                            Message* taken, WaitReason reason, Received& found)
    {
        for (;;) {
            const std::uint32_t seen = sequence(self);
            const Result<Message*> message = search_locked(self, arguments, taken, seen);
            parts_.synchronization.release(self.lock);
            if (TRY(message) != nullptr) {
                trace::matched(**message);
                return accept(self, **message, arguments.buffer, found);
            }
            TRY_VOID(wait_for_arrival(self, arguments, reason, seen));
            TRY_VOID(parts_.synchronization.acquire(self.lock));
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
            request.reply = {.value = *length, .type = found.type, .source = found.source, .block = *length};
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
