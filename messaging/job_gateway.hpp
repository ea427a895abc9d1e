// SPDX-License-Identifier: MIT
// The gateway of one machine's part of a job, over its endpoints (gateway.hpp).
#pragma once

#include "interface/capabilities.h"
#include "messaging/endpoint.hpp"
#include "messaging/gateway.hpp"
#include "messaging/layout.hpp"

namespace parley::messaging {

template <class F>
class JobGateway final : public Gateway {
public:
    using PeerType = Peer<F>;

    struct Parts {
        const Layout& layout;
        unsigned capabilities; // of the design
        PeerType& self;        // the helper's
        Router<F>& router;
        typename F::Transfer& transfer;
        Budget<typename F::Synchronization>& budget;
        Blocks& blocks;
    };

    explicit JobGateway(const Parts& parts) : parts_(parts) { }

    unsigned machine_of(unsigned endpoint) const override { return parts_.layout.machine_of(endpoint); }
    unsigned endpoints() const override { return parts_.layout.programs(); }
    std::size_t budget() const override { return parts_.budget.heap().largest(); }
    bool awaits_deliveries() const override { return (parts_.capabilities & NX_SENDS_AWAIT_DELIVERY) != 0; }

    Message* next() override
    {
        const Result<Message*> message = parts_.self.mailbox.next();
        return message ? *message : nullptr;
    }

    // A Transfer that hands blocks over has made one ours.
    Result<void> take(Message& message, std::byte* buffer) override
    {
        const UserAddress wanted{reinterpret_cast<std::uintptr_t>(buffer)};
        const UserAddress place = TRY(parts_.transfer.accept(message, own(), wanted));
        if (place.value != wanted.value) {
            platform::copy(buffer, reinterpret_cast<const std::byte*>(place.value), message.length());
            (void)parts_.blocks.release(own(), place.value);
        }
        parts_.budget.freed();
        return {};
    }

    void complete(Message& message) override { parts_.router.complete(message); }

    Result<Completion*> new_completion() override
    {
        return new (TRY(parts_.budget.heap().allocate(sizeof(Completion)))) Completion;
    }
    void free(Completion& completion) override
    {
        parts_.budget.heap().release(reinterpret_cast<std::byte*>(&completion));
        parts_.budget.freed();
    }

    Result<void> put(const Envelope& envelope, std::uint32_t stamp, unsigned destination,
                     const std::byte* bytes, Completion* delivered) override
    {
        MessageMemory& memory = *TRY(new_message());
        Message& message = memory.open(in_its_name(envelope, memory.place()));
        const Result<Held> held = offer(message, bytes);
        if (!held) {
            message.forget();
            parts_.self.delivery.pool().keep(memory);
            return std::unexpected(held.error());
        }
        if (delivered != nullptr) {
            delivered->expect(1);
            message.count_on(*delivered);
        }
        message.destination = static_cast<std::uint16_t>(destination);
        trace::carried(message, envelope.source(), stamp);
        Protocol* const protocol = message.protocol();
        // A process that has been killed meanwhile has got it before.
        (void)parts_.router.put(party(), parts_.router.peer(destination), message);
        if (protocol != nullptr)
            (void)protocol->bring(message, held->offer, {WaitReason::carrying, 0, 0, -1});
        if (held->block != 0)
            (void)parts_.blocks.release(own(), held->block);
        return {};
    }

    void want_budget(bool wants) override
    {
        if (wants == wants_budget_)
            return;
        wants_budget_ = wants;
        if (wants)
            parts_.budget.announce(parts_.self.waiter);
        else
            parts_.budget.withdraw(parts_.self.waiter);
    }

    std::uint32_t sequence() const override { return parts_.self.waiter.sequence(); }
    void begin_rest(std::uint32_t seen) override
    {
        parts_.self.waiter.record().begin({WaitReason::carrying, 0, 0, -1}, seen, false);
    }
    void end_rest() override { parts_.self.waiter.record().end(); }

private:
    // What was offered, and a block that is ours until the bytes have left it; 0: none.
    struct Held {
        Offer offer;
        std::uintptr_t block;
    };

    unsigned own() const { return parts_.self.index(); }
    Party& party() { return parts_.self.waiter.party(); }

    // It says who has sent it, but comes back to us.
    Envelope in_its_name(const Envelope& envelope, std::uint8_t place) const
    {
        const Envelope sender({envelope.node(), envelope.pid()}, static_cast<std::uint16_t>(own()));
        return sender.addressed(envelope.type(), envelope.length(), envelope.sender(),
                                Envelope::home_bits(place));
    }

    // Errors: no_memory.
    Result<MessageMemory*> new_message()
    {
        MessagePool& pool = parts_.self.delivery.pool();
        if (MessageMemory* const spare = pool.take())
            return spare;
        auto* const message = new (TRY(parts_.budget.heap().allocate(sizeof(Message)))) Message;
        pool.adopt(*message);
        return message;
    }

    // A buffer that must be shared lies in a block, which the Transfer may hand over as it is. Errors: those
    // of Transfer::offer; then nothing is held.
    Result<Held> offer(Message& message, const std::byte* bytes)
    {
        Held held{{own(), {reinterpret_cast<std::uintptr_t>(bytes)}, 1, false}, 0};
        if (message.length() == 0)
            return held;
        if ((parts_.capabilities & NX_BUFFERS_MUST_BE_SHARED) != 0) {
            held.block = TRY(parts_.blocks.allocate(own(), message.length(), 1));
            platform::copy(reinterpret_cast<std::byte*>(held.block), bytes, message.length());
            held.offer.buffer = {held.block};
        }
        const Result<Custody> custody = parts_.transfer.offer(message, held.offer);
        if (!custody) {
            if (held.block != 0)
                (void)parts_.blocks.release(own(), held.block);
            return std::unexpected(custody.error());
        }
        if ((parts_.capabilities & NX_BLOCKS_CHANGE_OWNER) != 0)
            held.block = 0;
        return held;
    }

    const Parts parts_;
    bool wants_budget_ = false;
};

} // namespace parley::messaging
