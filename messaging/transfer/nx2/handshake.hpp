// SPDX-License-Identifier: MIT
// The rendezvous of a long message under transfer=nx2 (docs/nx2-protocol.md): what its two ends have agreed
// on while its bytes are still its sender's, and what each end does. The receiver's end answers at once, by
// whoever brings the message to rest: on a hypercube that is the destination's interrupt; here it may be the
// sender itself, so nobody waits for a process that computes.
#pragma once

#include "messaging/location.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/message/message.hpp"
#include "messaging/protocol.hpp"
#include "messaging/receive.hpp"
#include "messaging/trace_points.hpp"
#include "messaging/transfer.hpp"

#include "platform.hpp"

#include <new>

namespace parley::messaging::nx2 {

enum class HandshakeState : std::uint32_t {
    requested, // the request to send is under way
    queued,    // answered: no receive is posted; the sender is to bring the bytes to a system buffer
    cleared,   // answered, clear to send: the sender is to bring the bytes straight to `receive`
    buffered,  // the bytes are in a system buffer, as in other messages; without data, they never will be
    refused,   // answered: nobody will receive it
};

constexpr bool may_follow(HandshakeState now, HandshakeState next)
{
    switch (next) {
    case HandshakeState::requested: return false;
    case HandshakeState::queued: return now == HandshakeState::requested || now == HandshakeState::cleared;
    case HandshakeState::cleared:
    case HandshakeState::buffered: // from cleared only by a sender that gives up
    case HandshakeState::refused: return now != HandshakeState::buffered && now != HandshakeState::refused;
    }
    return false;
}

// Lies in the message itself, in the space that a short message's bytes would have. `receive` and
// `clearances` are guarded by the lock of the destination's mailbox; so is every move of the state to or from
// `cleared`.
struct Handshake {
    explicit Handshake(std::uint64_t bytes) : length(bytes) { }

    const std::uint64_t length; // of the message: its envelope is the receiver's once it has been put
    State<HandshakeState> state{HandshakeState::requested};
    std::uint32_t clearances = 0;
    Receive* receive = nullptr;

    HandshakeState now() const { return state.load(std::memory_order_acquire); }

    // Moves to `next` from requested or queued: in both no receive has the message. False: it is in neither.
    // Release: who sees `next` sees what led to it. Requested is tried first, because it may become queued
    // meanwhile, and never the other way.
    bool leave_queue(HandshakeState next)
    {
        return state.move_from(HandshakeState::requested, next) ||
               state.move_from(HandshakeState::queued, next);
    }
};

static_assert(sizeof(Handshake) <= Message::short_bytes);

inline Handshake& handshake_of(Message& message) { return *reinterpret_cast<Handshake*>(message.space); }
inline const Handshake& handshake_of(const Message& message)
{
    return *reinterpret_cast<const Handshake*>(message.space);
}

template <class L>
class Rendezvous final : public Protocol {
public:
    Rendezvous(L& location, BuddyHeap& buffers, Exchange& exchange)
        : location_(location), buffers_(buffers), exchange_(exchange)
    {
    }

    void begin(Message& message)
    {
        message.data = nullptr;
        new (message.space) Handshake(message.length());
        message.follow(*this);
    }

    // The receiver's end. If this answers `whole`, the bytes have come to a system buffer.
    Step matched(Message& message, Receive& receive) override REQUIRES(a_mailbox)
    {
        Handshake& handshake = handshake_of(message);
        if (handshake.now() == HandshakeState::buffered)
            return Step::whole;
        handshake.receive = &receive;
        ++handshake.clearances;
        if (!handshake.leave_queue(HandshakeState::cleared))
            return Step::whole;
        exchange_.signal(message.source()); // the mailbox is locked, so the sender cannot go on yet
        return Step::engaged;
    }

    void queued(Message& message) override REQUIRES(a_mailbox)
    {
        if (handshake_of(message).state.move_from(HandshakeState::requested, HandshakeState::queued))
            exchange_.signal(message.source());
    }

    // The sender sees the new state before its next piece.
    void withdrawn(Message& message) override REQUIRES(a_mailbox)
    {
        handshake_of(message).state.move(HandshakeState::queued, std::memory_order_release);
    }

    void abandoned(Message& message) override REQUIRES(a_mailbox)
    {
        handshake_of(message).state.move(HandshakeState::refused, std::memory_order_release);
        exchange_.signal(message.source());
    }

    bool refused(Message& message) override
    {
        const unsigned sender = message.source(); // once refused, the message may be gone
        if (!handshake_of(message).leave_queue(HandshakeState::refused))
            return false;
        exchange_.signal(sender);
        return true;
    }

    // The sender's end.
    Result<void> bring(Message& message, const Offer& offer, const WaitDetails& details) override
    {
        const auto answered = [&] { return handshake_of(message).now() != HandshakeState::requested; };
        WaitDetails short_wait = details;
        short_wait.restartable = false;
        // The message may be left in the port, behind an entry that is not yet published; then the sender
        // goes on as if no receive were posted.
        Result<void> brought = exchange_.await_arrival(offer.sender, message, short_wait, answered);
        for (bool done = false; brought && !done;) {
            const Result<bool> step = bring_once(message, offer, details);
            if (!step)
                brought = std::unexpected(step.error());
            done = step.value_or(true);
        }
        if (!brought && brought.error() != Error::interrupted)
            give_up(message, offer.sender);
        return brought;
    }

    void abandoned_by_sender(Message& message, unsigned sender) override
    {
        if (message.data != nullptr)
            release(message);
        give_up(message, sender);
    }

private:
    // True: the message is somebody else's now, or over.
    Result<bool> bring_once(Message& message, const Offer& offer, const WaitDetails& details)
    {
        switch (handshake_of(message).now()) {
        case HandshakeState::cleared: return push(message, offer);
        case HandshakeState::refused: exchange_.complete(message); return true;
        default: break;
        }
        const Result<void> filled = fill(message, offer);
        if (filled)
            return hand_over(message);
        if (filled.error() != Error::no_memory)
            return std::unexpected(filled.error());
        return wait_for_either(message, offer, details);
    }

    // Copies the bytes to a system buffer. Errors: no_memory, nothing changed; bad_buffer.
    Result<void> fill(Message& message, const Offer& offer)
    {
        message.data = TRY(buffers_.allocate(handshake_of(message).length));
        const Result<void> copied =
            location_.copy_in(message.data, offer.buffer, handshake_of(message).length);
        if (!copied)
            release(message);
        return copied;
    }

    void release(Message& message)
    {
        buffers_.release(message.data);
        message.data = nullptr;
    }

    // The bytes are in the system buffer. If a receive has been posted meanwhile, they go straight to that
    // nevertheless (false).
    Result<bool> hand_over(Message& message)
    {
        if (handshake_of(message).leave_queue(HandshakeState::buffered))
            return true;
        release(message);
        return false;
    }

    // The budget is used up: wait for some of it or for another answer. A message to oneself that no budget
    // could hold would wait for ever.
    Result<bool> wait_for_either(Message& message, const Offer& offer, const WaitDetails& details)
    {
        if (message.destination == offer.sender && handshake_of(message).length > buffers_.largest())
            return std::unexpected(Error::over_budget);
        Result<void> filled = std::unexpected(Error::no_memory);
        const auto answered_or_filled = [&] {
            const HandshakeState now = handshake_of(message).now();
            if (now == HandshakeState::cleared || now == HandshakeState::refused)
                return true;
            filled = fill(message, offer);
            return filled || filled.error() != Error::no_memory;
        };
        WaitDetails waited_for = details;
        waited_for.reason = WaitReason::budget;
        const Result<void> waited = exchange_.await_budget(offer.sender, waited_for, answered_or_filled);
        if (!waited && waited.error() == Error::interrupted) {
            if (take_back(message, offer.sender))
                return std::unexpected(Error::interrupted);
            TRY_VOID(give_way());
            return false;
        }
        TRY_VOID(waited);
        if (filled)
            return hand_over(message);
        if (filled.error() != Error::no_memory)
            return std::unexpected(filled.error());
        return false;
    }

    // A handler of the sender's is due: takes the message back, so that the call can be made again. False:
    // the receiver has come to the message.
    bool take_back(Message& message, unsigned sender)
    {
        if (!exchange_.take_back(sender, message))
            return false;
        exchange_.complete(message);
        return true;
    }

    // Brings the bytes straight into the posted receive, a page at a time. Between two pieces the receive may
    // be withdrawn, and the process that posted it may end. Errors: killed, bad_buffer.
    Result<bool> push(Message& message, const Offer& offer)
    {
        const unsigned to = message.destination;
        const std::uint64_t length = handshake_of(message).length;
        std::uint32_t clearance = 0;
        for (std::uint64_t at = 0;;) {
            if (!exchange_.lock(offer.sender, to))
                return std::unexpected(Error::killed);
            const Handshake& handshake = handshake_of(message);
            clearance = at == 0 ? handshake.clearances : clearance;
            if (handshake.now() != HandshakeState::cleared || handshake.clearances != clearance) {
                exchange_.unlock(offer.sender, to);
                return false;
            }
            Receive& receive = *handshake.receive;
            const std::uint64_t piece = piece_at(receive.buffer + at, length - at);
            const Result<void> pushed = location_.copy_to(to, receive.buffer + at, offer.buffer + at, piece);
            const bool is_ours = !pushed && !is_readable(location_, offer.buffer + at, piece);
            at += piece;
            const bool is_last = !pushed || at == length;
            if (is_last && !is_ours)
                exchange_.end(to, receive, pushed);
            exchange_.unlock(offer.sender, to);
            if (is_ours)
                return std::unexpected(Error::bad_buffer);
            if (is_last) {
                exchange_.signal(to);
                trace::received(message);
                exchange_.complete(message);
                return true;
            }
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

    // The sender must end, or its buffer is bad. The receive that gets the message, or has it already, fails:
    // the message is here and without data.
    void give_up(Message& message, unsigned sender)
    {
        const unsigned to = message.destination;
        for (;;) {
            if (handshake_of(message).leave_queue(HandshakeState::buffered))
                return;
            if (handshake_of(message).now() == HandshakeState::refused)
                return exchange_.complete(message);
            exchange_.lock_always(sender, to);
            const bool is_cleared = handshake_of(message).now() == HandshakeState::cleared;
            if (is_cleared) { // else the receive has been withdrawn
                handshake_of(message).state.move(HandshakeState::buffered, std::memory_order_release);
                exchange_.match(to, *handshake_of(message).receive);
            }
            exchange_.unlock(sender, to);
            if (is_cleared)
                return exchange_.signal(to);
        }
    }

    L& location_;
    BuddyHeap& buffers_;
    Exchange& exchange_;
};

} // namespace parley::messaging::nx2
