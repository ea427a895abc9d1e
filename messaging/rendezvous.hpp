// SPDX-License-Identifier: MIT
// Long messages under a Transfer that negotiates: after its control message has been put, the sender brings
// the bytes to where the answer says, within the same call. The protocol, step by step: docs/nx2-protocol.md.
#pragma once

#include "messaging/receiving.hpp"

namespace parley::messaging {

template <class F>
class Rendezvous : public Receiving<F> {
public:
    using typename Receiving<F>::EndpointType;
    using Receiving<F>::Receiving;

protected:
    using Receiving<F>::acquire_always;
    using Receiving<F>::await;
    using Receiving<F>::drain;
    using Receiving<F>::endpoint;
    using Receiving<F>::parts_;
    using Receiving<F>::retire;

    ~Rendezvous() = default;

    // The sender's part of one message, from the moment its control message has been put. Afterwards the
    // message is not the caller's. Errors: killed, no_memory, bad_buffer; interrupted, where `details` permit
    // it, as if nothing had been sent.
    [[gnu::noinline]] Result<void> bring(EndpointType& self, Message& message, const Offer& offer,
                                         const WaitDetails& details)
    {
        EndpointType& to = endpoint(message.destination);
        Result<void> brought = await_answer(self, to, message, details);
        for (Progress progress = Progress::again; brought && progress == Progress::again;) {
            const Result<Progress> step = bring_once(self, to, message, offer, details);
            brought = step ? Result<void>{} : std::unexpected(step.error());
            progress = step.value_or(Progress::done);
        }
        if (!brought && brought.error() != Error::interrupted)
            abandon(self, to, message);
        return brought;
    }

private:
    // What a sender has come to. `done`: the message is somebody else's now.
    enum class Progress : std::uint8_t { done, again };
    // Buffered transport: the destination's part is played here and now. It may leave the message in the
    // port, behind an entry that is not yet published; then the sender goes on as if no receive were posted.
    // A carrier plays it when it has carried the message there. Errors: killed.
    Result<void> await_answer(EndpointType& self, EndpointType& to, Message& message,
                              const WaitDetails& details)
    {
        if (to.hop == &to)
            return drain(self, to);
        const WaitDetails short_wait{details.reason, details.type, details.length, details.peer};
        return await(self, short_wait,
                     [&] { return negotiation_of(message).now() != NegotiationState::asked; });
    }

    Result<Progress> bring_once(EndpointType& self, EndpointType& to, Message& message, const Offer& offer,
                                const WaitDetails& details)
    {
        switch (negotiation_of(message).now()) {
        case NegotiationState::granted: return push(self, to, message, offer);
        case NegotiationState::dropped: retire(message); return Progress::done;
        default: break;
        }
        const Result<void> filled = parts_.transfer.fill(message, offer);
        if (filled)
            return hand_over(message);
        if (filled.error() != Error::no_memory)
            return std::unexpected(filled.error());
        return wait_for_either(self, to, message, offer, details);
    }

    // The bytes are in a system buffer. When a receive has been posted meanwhile they go straight there
    // nevertheless.
    Result<Progress> hand_over(Message& message)
    {
        if (negotiation_of(message).leave_queue(NegotiationState::here))
            return Progress::done;
        parts_.transfer.drop(message);
        return Progress::again;
    }

    // The budget is used up: wait for some of it or for another answer. A message to oneself that no budget
    // could hold would wait for ever.
    Result<Progress> wait_for_either(EndpointType& self, EndpointType& to, Message& message,
                                     const Offer& offer, const WaitDetails& details)
    {
        if (&self == &to && message.length() > parts_.buffers.largest())
            return std::unexpected(Error::no_memory);
        Result<void> filled = std::unexpected(Error::no_memory);
        const auto answered_or_filled = [&] {
            const NegotiationState now = negotiation_of(message).now();
            if (now == NegotiationState::granted || now == NegotiationState::dropped)
                return true;
            filled = parts_.transfer.fill(message, offer);
            return filled || filled.error() != Error::no_memory;
        };
        this->announce_budget_wait(self);
        WaitDetails waited_for = details;
        waited_for.reason = WaitReason::budget;
        const Result<void> waited = await(self, waited_for, answered_or_filled);
        this->end_budget_wait(self);
        if (!waited && waited.error() == Error::interrupted && !withdraw(self, to, message)) {
            TRY_VOID(give_way());
            return Progress::again;
        }
        TRY_VOID(waited);
        if (filled)
            return hand_over(message);
        if (filled.error() != Error::no_memory)
            return std::unexpected(filled.error());
        return Progress::again;
    }

    // A handler of the sender's is due: the message is taken back, so that the call can be made again. False:
    // its receiver has come to it.
    bool withdraw(EndpointType& self, EndpointType& to, Message& message)
    {
        acquire_always(self, to);
        const bool waits_there = to.unexpected.remove(message);
        this->unlock(self, to);
        if (waits_there)
            retire(message);
        return waits_there;
    }

    // Straight into the posted receive, a page at a time. Between two pieces the receive may be taken back,
    // and the process that posted it may end. Errors: killed, bad_buffer.
    Result<Progress> push(EndpointType& self, EndpointType& to, Message& message, const Offer& offer)
    {
        std::uint32_t grant_number = 0;
        for (std::uint64_t at = 0;;) {
            TRY_VOID(this->lock(self, to));
            const Negotiation& negotiation = negotiation_of(message);
            grant_number = at == 0 ? negotiation.grants : grant_number;
            if (negotiation.now() != NegotiationState::granted || negotiation.grants != grant_number) {
                this->unlock(self, to);
                return Progress::again;
            }
            Request& request = *negotiation.request;
            const std::uint64_t piece = piece_at(request.buffer + at, message.length() - at);
            const Result<void> pushed =
                parts_.transfer.push(to.index, request.buffer + at, offer.buffer + at, piece);
            at += piece;
            const bool is_last = !pushed || at == message.length();
            const bool is_ours = !pushed && pushed.error() == Error::bad_argument;
            if (is_last && !is_ours)
                finish_granted(to, request, pushed);
            this->unlock(self, to);
            if (is_ours)
                return std::unexpected(Error::bad_buffer);
            if (is_last)
                return announce(to, message);
            if (at % preemption_bytes < piece)
                TRY_VOID(give_way());
        }
    }

    static constexpr std::uint64_t preemption_bytes = 65536;

    static std::uint64_t piece_at(UserAddress to, std::uint64_t left)
    {
        const std::uint64_t to_page_end = page_bytes - to.value % page_bytes;
        return left < to_page_end ? left : to_page_end;
    }

    static Result<void> give_way()
    {
        platform::SpinWait spin;
        if (!spin.once())
            return std::unexpected(Error::killed);
        return {};
    }

    // Lock held.
    void finish_granted(EndpointType& to, Request& request, const Result<void>& pushed)
    {
        to.granted.remove(request);
        request.found = *request.message;
        request.message = nullptr;
        if (!pushed)
            request.error = pushed.error();
        request.state.store(pushed ? RequestState::finished : RequestState::failed,
                            std::memory_order_release);
        if (request.watched)
            this->alert(to);
    }

    Progress announce(EndpointType& to, Message& message)
    {
        this->signal(to.event());
        trace::received(message);
        retire(message);
        return Progress::done;
    }

    // The sender must end, or its buffer is bad. The receive that gets the message, or has it already, fails:
    // the message is here and without data.
    [[gnu::noinline]] void abandon(EndpointType& self, EndpointType& to, Message& message)
    {
        Negotiation& negotiation = negotiation_of(message);
        for (;;) {
            if (negotiation.leave_queue(NegotiationState::here))
                return;
            if (negotiation.now() == NegotiationState::dropped)
                return (void)retire(message);
            if (abandon_granted(self, to, message))
                return this->signal(to.event());
        }
    }

    // False: the receive has been taken back.
    bool abandon_granted(EndpointType& self, EndpointType& to, Message& message)
    {
        Negotiation& negotiation = negotiation_of(message);
        acquire_always(self, to);
        const bool is_granted = negotiation.now() == NegotiationState::granted;
        if (is_granted) {
            Request& request = *negotiation.request;
            to.granted.remove(request);
            negotiation.state.store(NegotiationState::here, std::memory_order_release);
            request.state.store(RequestState::matched, std::memory_order_release);
            to.matched.push_back(request);
            to.has_matched.store(1, std::memory_order_release);
            if (request.watched)
                this->alert(to);
        }
        this->unlock(self, to);
        return is_granted;
    }
};

} // namespace parley::messaging
