// SPDX-License-Identifier: MIT
// crecv under a Transfer that negotiates: a receive that senders of long messages can see, so that they bring
// the bytes straight to it (docs/nx2-protocol.md).
#pragma once

#include "messaging/reception.hpp"

namespace parley::messaging {

template <class F>
class Receiving : public Reception<F> {
public:
    using typename Reception<F>::EndpointType;
    using Reception<F>::Reception;

protected:
    using Reception<F>::accept;
    using Reception<F>::acquire_always;
    using Reception<F>::lacks_bytes;
    using Reception<F>::parts_;
    using Reception<F>::sequence;

    ~Receiving() = default;

    // As receive_now(), and senders of long messages can see that this process waits for one. Errors: the
    // same, and closed: the sender has been killed before it had brought the bytes.
    [[gnu::noinline]] Found receive_seen(EndpointType& self, const ReceiveArguments& arguments,
                                         WaitReason reason)
    {
        for (;;) {
            const std::uint32_t seen = sequence(self);
            if (self.has_matched.load(std::memory_order_acquire) != 0)
                TRY_VOID(this->accept_matched(self)); // it may be our own, of a sender that has given up
            const Result<Seen> look = look_for(self, arguments, seen);
            if (!look)
                return leave(self, look.error());
            if (look->message != nullptr) {
                trace::matched(*look->message);
                return accept(self, *look->message, arguments.buffer);
            }
            if (look->ended)
                return result_of(self);
            if (const auto waited = this->wait_for_arrival(self, arguments, reason, seen); !waited)
                return leave(self, waited.error());
        }
    }

private:
    // What a look into port and lists has shown: a message for us, or the end of our receive, or nothing yet.
    struct Seen {
        Message* message = nullptr;
        bool ended = false;
    };

    // One look, and when it finds nothing our receive is there for senders to see. Errors: killed,
    // message_too_long.
    Result<Seen> look_for(EndpointType& self, const ReceiveArguments& arguments, std::uint32_t seen)
    {
        TRY_VOID(this->lock(self, self));
        const Result<Seen> look = look_locked(self, arguments, seen);
        this->unlock(self, self);
        return look;
    }

    Result<Seen> look_locked(EndpointType& self, const ReceiveArguments& arguments, std::uint32_t seen)
    {
        Request& request = self.receiving;
        switch (request.state.load(std::memory_order_acquire)) {
        case RequestState::finished:
        case RequestState::failed: return Seen{.ended = true};
        case RequestState::granted:
        case RequestState::matched: return Seen{};
        default: break;
        }
        request.state.store(RequestState::free, std::memory_order_relaxed);
        request.selector = this->selector_of(arguments);
        request.buffer = arguments.buffer;
        request.maximum = static_cast<std::uint64_t>(arguments.maximum);
        Message* const message = TRY(this->search_locked(self, arguments, seen));
        if (message == nullptr) {
            request.state.store(RequestState::posted, std::memory_order_relaxed);
            return Seen{};
        }
        if (lacks_bytes(*message) && this->grant(self, *message, request))
            return Seen{};
        request.state.store(RequestState::free, std::memory_order_relaxed);
        return Seen{.message = message};
    }

    // Our receive has ended: what it has come to.
    Found result_of(EndpointType& self)
    {
        Request& request = self.receiving;
        const bool failed = request.state.load(std::memory_order_acquire) == RequestState::failed;
        request.state.store(RequestState::free, std::memory_order_relaxed);
        if (failed)
            return std::unexpected(request.error);
        self.block = request.buffer;
        return request.found;
    }

    // The wait is over without a message: the receive is no longer there, unless it has just ended.
    [[gnu::noinline]] Found leave(EndpointType& self, Error error)
    {
        acquire_always(self, self);
        const RequestState state = self.receiving.state.load(std::memory_order_acquire);
        const bool has_ended = state == RequestState::finished || state == RequestState::failed;
        if (!has_ended) {
            this->take_back(self, self.receiving);
            self.receiving.state.store(RequestState::free, std::memory_order_relaxed);
        }
        this->unlock(self, self);
        if (has_ended && error != Error::killed)
            return result_of(self);
        return std::unexpected(error);
    }
};

} // namespace parley::messaging
