// SPDX-License-Identifier: MIT
// The destination's side of a long message's negotiation: every control message that comes to rest is
// answered at once, by whoever brings it to rest. On a hypercube that is the destination's interrupt; here it
// may be the sender itself, so nobody waits for a process that computes.
#pragma once

#include "messaging/core.hpp"
#include "messaging/negotiation.hpp"

namespace parley::messaging {

template <class F>
class Granting : public Core<F> {
public:
    using typename Core<F>::EndpointType;
    using Core<F>::Core;

protected:
    using Core<F>::endpoint;
    using Core<F>::parts_;

    ~Granting() = default;

    bool negotiates(const Message& message) const
    {
        return parts_.traits.negotiates && message.length() > Negotiation::longest_short;
    }

    // Its bytes are still its sender's.
    bool lacks_bytes(const Message& message) const
    {
        return negotiates(message) && negotiation_of(message).now() != NegotiationState::here;
    }

    // Lock held, `message` in no list. The sender is to bring the bytes to this receive. False: they have
    // just come to a system buffer.
    [[gnu::noinline]] bool grant(EndpointType& at, Message& message, Request& request)
    {
        Negotiation& negotiation = negotiation_of(message);
        negotiation.request = &request;
        ++negotiation.grants;
        request.message = &message;
        request.state.store(RequestState::granted, std::memory_order_relaxed);
        at.granted.push_back(request);
        if (negotiation.leave_queue(NegotiationState::granted)) {
            trace::matched(message);
            acknowledge(message);
            return true;
        }
        at.granted.remove(request);
        return false;
    }

    // Lock held. The message goes to the unexpected ones; its sender hears of it, and nobody of a message
    // that has its bytes.
    [[gnu::always_inline]] void keep_unexpected(EndpointType& at, Message& message)
    {
        at.unexpected.push_back(message);
        if (negotiates(message)) [[unlikely]]
            answer_queued(message);
    }

    // A control message that is in no list any more will not be received. False: it is one like others, and
    // the caller's.
    bool refuse(Message& message)
    {
        if (!negotiates(message))
            return false;
        EndpointType& sender = endpoint(message.source()); // once refused, the message may be gone
        if (!negotiation_of(message).leave_queue(NegotiationState::dropped))
            return false;
        this->signal(sender.event());
        return true;
    }

    // Lock held. The process has ended: what senders are bringing it is not received.
    void refuse_granted(EndpointType& at)
    {
        while (Request* const request = at.granted.pop_front()) {
            negotiation_of(*request->message)
                .state.store(NegotiationState::dropped, std::memory_order_release);
            acknowledge(*request->message);
        }
        at.receiving.state.store(RequestState::free, std::memory_order_relaxed);
    }

private:
    // Lock held, so the sender cannot go on with the message yet.
    void acknowledge(Message& message) { this->signal(endpoint(message.source()).event()); }

    [[gnu::noinline]] void answer_queued(Message& message)
    {
        NegotiationState expected = NegotiationState::asked;
        if (negotiation_of(message).state.compare_exchange_strong(expected, NegotiationState::queued,
                                                                  std::memory_order_acq_rel))
            acknowledge(message);
    }
};

} // namespace parley::messaging
