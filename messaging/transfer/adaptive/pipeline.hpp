// SPDX-License-Identifier: MIT
// The long messages of transfer=adaptive: a system buffer between a sender that fills it piece by piece and a
// receiver that empties it meanwhile. The message is put before its bytes; nobody waits for the other end, so
// a sender whose message is not wanted yet fills the buffer and goes.
#pragma once

#include "messaging/location.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/message/message.hpp"
#include "messaging/protocol.hpp"
#include "messaging/state.hpp"
#include "messaging/transfer.hpp"

#include "platform.hpp"

#include <new>

namespace parley::messaging::adaptive {

enum class FlowState : std::uint32_t {
    filling, // the sender is bringing bytes: only the sender may complete the message
    whole,   // all bytes are in the buffer: the message is one like others
    broken,  // the sender could not go on, and the rest will never come; whoever has it completes the message
    refused, // nobody will receive it: the sender completes it
};

// Each ends the filling, and the first of them decides who completes the message.
constexpr bool may_follow(FlowState now, FlowState next)
{
    return now == FlowState::filling && next != FlowState::filling;
}

// Lies in the message, in the space that a short message's bytes would have. `filled` is written by the
// sender alone: its release pairs with the receiver's acquire, and so the bytes below it are there. `taken`
// and `failure` belong to the receive that has the message, and begin anew with the next.
struct Flow {
    explicit Flow(std::uint64_t bytes) : length(bytes) { }

    const std::uint64_t length; // of the message: its envelope is the receiver's once it has been put
    State<FlowState> state{FlowState::filling};
    Atomic<std::uint64_t> filled{0};
    std::uint64_t taken = 0;
    Result<void> failure{}; // the receiver's buffer was bad: told when the sender is out of the message

    FlowState now() const { return state.load(std::memory_order_acquire); }
    bool end(FlowState next) { return state.move_from(FlowState::filling, next); }
};

static_assert(sizeof(Flow) <= Message::short_bytes);

inline Flow& flow_of(Message& message) { return *reinterpret_cast<Flow*>(message.space); }

template <class L>
class Pipeline final : public Protocol {
public:
    static constexpr std::uint64_t piece_bytes =
        16384; // large against a signal, small against a long message

    Pipeline(L& location, BuddyHeap& buffers, Exchange& exchange)
        : location_(location), buffers_(buffers), exchange_(exchange)
    {
    }

    // Sender. The message gets its buffer and begins without bytes. This tries both ends of the sender's
    // buffer. Errors: those of Transfer::offer; then nothing is held.
    Result<void> begin(Message& message, const Offer& offer)
    {
        if (message.length() > buffers_.largest())
            return std::unexpected(Error::over_budget);
        if (!is_readable(location_, offer.buffer, message.length()))
            return std::unexpected(Error::bad_buffer);
        message.data = TRY(buffers_.allocate(message.length()));
        new (message.space) Flow(message.length());
        message.follow(*this);
        return {};
    }

    // Receiver. Copies what has come since the last time. Errors: would_block, more bytes are to come;
    // closed, the rest will never come; those of the receiver's buffer. After success and all errors but
    // would_block the caller releases the message's buffer.
    Result<void> take(Message& message, UserAddress buffer)
    {
        Flow& flow = flow_of(message);
        // The state is read first: what was filled before the end is seen with it.
        const FlowState now = flow.now();
        const std::uint64_t filled = flow.filled.load(std::memory_order_acquire);
        if (flow.failure && flow.taken < filled) {
            flow.failure =
                location_.copy_out(buffer + flow.taken, message.data + flow.taken, filled - flow.taken);
            flow.taken = filled;
        }
        switch (now) {
        case FlowState::whole: return flow.failure;
        case FlowState::broken: return std::unexpected(Error::closed);
        default: return std::unexpected(Error::would_block);
        }
    }

    // A receive that has been taken back may have had some of the bytes; the next one begins at the first
    // byte. While there are bytes to come, the receive's owner accepts the message like others, as often as
    // the owner is signalled.
    Step matched(Message& message, Receive& receive) override REQUIRES(a_mailbox)
    {
        Flow& flow = flow_of(message);
        flow.taken = 0;
        flow.failure = {};
        if (flow.now() != FlowState::filling)
            return Step::whole;
        exchange_.match(message.destination, receive);
        return Step::engaged;
    }

    void queued(Message&) override REQUIRES(a_mailbox) { }
    // No receive stays engaged.
    void withdrawn(Message&) override REQUIRES(a_mailbox) { }
    void abandoned(Message&) override REQUIRES(a_mailbox) { }

    bool refused(Message& message) override { return flow_of(message).end(FlowState::refused); }

    // Errors: killed, bad_buffer. It never waits, and is never interrupted.
    Result<void> bring(Message& message, const Offer& offer, const WaitDetails&) override
    {
        Flow& flow = flow_of(message);
        const unsigned to = message.destination; // once whole or broken, the message may be gone
        const std::uint64_t length = flow.length;
        Result<void> brought{};
        for (std::uint64_t at = 0; at < length && brought && flow.state.is(FlowState::filling);) {
            const std::uint64_t left = length - at;
            const std::uint64_t piece = left < piece_bytes ? left : piece_bytes;
            brought = location_.copy_in(message.data + at, offer.buffer + at, piece);
            if (!brought)
                break;
            at += piece;
            flow.filled.store(at, std::memory_order_release);
            if (at == length)
                break;
            exchange_.signal(to);
            brought = give_way();
        }
        finish(message, to, brought ? FlowState::whole : FlowState::broken);
        return brought;
    }
    void abandoned_by_sender(Message& message, unsigned) override
    {
        finish(message, message.destination, FlowState::broken);
    }

private:
    // The sender is done with the message; if that was refused, the message is over.
    void finish(Message& message, unsigned to, FlowState how)
    {
        if (flow_of(message).end(how)) {
            exchange_.signal(to);
            exchange_.notify(to); // it may have been interrupted for the message before the bytes were there
            return;
        }
        buffers_.release(message.data);
        message.data = message.space;
        exchange_.complete(message);
    }

    // Between two pieces others may run, and a process that must end does. Errors: killed.
    static Result<void> give_way()
    {
        platform::SpinWait spin;
        if (!spin.once())
            return std::unexpected(Error::killed);
        return {};
    }

    L& location_;
    BuddyHeap& buffers_;
    Exchange& exchange_;
};

} // namespace parley::messaging::adaptive
