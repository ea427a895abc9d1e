// SPDX-License-Identifier: MIT
// What the two ends of a long message agree on while its bytes are still its sender's, under a Transfer that
// negotiates (docs/nx2-protocol.md). It lies in the control message itself, in the space that a short
// message's bytes would have. `request` and `grants` are guarded by the lock of the destination's endpoint;
// so is every step of the state to or from `granted`.
#pragma once

#include "messaging/message.hpp"
#include "messaging/request.hpp"

namespace parley::messaging {

enum class NegotiationState : std::uint32_t {
    asked,   // the control message is under way
    queued,  // answered: no receive is posted; the sender is to bring the bytes to a system buffer
    granted, // answered: the sender is to bring them straight to `request`
    here, // they are in a system buffer: from now on a message like others. Without data: they never will be
    dropped, // answered: nobody will receive it
};

struct Negotiation {
    static constexpr std::uint64_t longest_short = 100; // bytes that need no negotiation

    Atomic<NegotiationState> state{NegotiationState::asked};
    std::uint32_t grants = 0;
    Request* request = nullptr;

    NegotiationState now() const { return state.load(std::memory_order_acquire); }

    // From asked or queued, which is the same to most: no receive has it. Release: who sees `next` sees what
    // led to it. Asked is tried first, for it may become queued meanwhile, and never the other way.
    bool leave_queue(NegotiationState next)
    {
        for (NegotiationState from : {NegotiationState::asked, NegotiationState::queued})
            if (state.compare_exchange_strong(from, next, std::memory_order_acq_rel))
                return true;
        return false;
    }
};

static_assert(sizeof(Negotiation) <= sizeof(Message::space));

inline Negotiation& negotiation_of(Message& message)
{
    return *reinterpret_cast<Negotiation*>(message.space);
}
inline const Negotiation& negotiation_of(const Message& message)
{
    return *reinterpret_cast<const Negotiation*>(message.space);
}

} // namespace parley::messaging
