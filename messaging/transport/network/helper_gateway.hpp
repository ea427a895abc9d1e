// SPDX-License-Identifier: MIT
// The gateway of one machine's part of a job (gateway.hpp), over what the job offers to its helper.
#pragma once

#include "messaging/memory/buddy_heap.hpp"
#include "messaging/message/message_pool.hpp"
#include "messaging/protocol.hpp"
#include "messaging/trace_points.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transport/network/gateway.hpp"

#include <algorithm>

namespace parley::messaging {

class HelperGateway final : public Gateway {
public:
    HelperGateway(Helper& helper, const Layout& layout, Polling& polling)
        : helper_(helper), parts_(helper.parts()), layout_(layout), polling_(polling),
          own_(layout.first_helper() + helper.number())
    {
    }

    const Layout& layout() const override { return layout_; }
    Polling& polling() override { return polling_; }
    std::size_t budget() const override { return parts_.buffers.largest(); }

    Message* next() override
    {
        const Result<Message*> message = helper_.next();
        return message ? *message : nullptr;
    }

    Result<void> take(Message& message, std::byte* buffer) override
    {
        TRY_VOID(parts_.transfer.bring_out(message, own_, buffer));
        helper_.freed();
        return {};
    }

    // Only bytes that a Transfer has taken are looked at: they stay as they are, and are there. What follows
    // a protocol is between its sender and this helper.
    bool are_alike(const Message& one, const Message& other) const override
    {
        if (one.protocol() != nullptr || other.protocol() != nullptr ||
            is_awaited(one) != is_awaited(other) || one.contents() != other.contents() ||
            one.without_home().sender() != other.without_home().sender())
            return false;
        if (one.length() == 0 || one.data == other.data)
            return true;
        return is_taken(one) && is_taken(other) && std::equal(one.data, one.data + one.length(), other.data);
    }
    void pass_over(Message& message) override
    {
        parts_.transfer.drop(message);
        helper_.freed();
    }

    bool is_awaited(const Message& message) const override { return message.completion() != nullptr; }
    void complete(Message& message) override { parts_.exchange.complete(message); }

    Result<Completion*> new_completion() override
    {
        return new (TRY(parts_.buffers.allocate(sizeof(Completion)))) Completion;
    }
    void free(Completion& completion) override
    {
        parts_.buffers.release(reinterpret_cast<std::byte*>(&completion));
        helper_.freed();
    }

    Result<void> put(const Envelope& envelope, std::uint32_t stamp, unsigned destination,
                     const std::byte* bytes, Completion* delivered) override
    {
        MessageMemory& memory = *TRY(new_message());
        Message& message = memory.open(in_its_name(envelope, memory.slot()));
        const Offer offer{own_, {reinterpret_cast<std::uintptr_t>(bytes)}, 1, false};
        if (message.length() != 0) {
            const Result<Custody> custody = parts_.transfer.bring_in(message, offer);
            if (!custody) {
                message.forget();
                parts_.pool.keep(memory);
                return std::unexpected(custody.error());
            }
        }
        if (delivered != nullptr) {
            delivered->expect(1);
            message.count_on(*delivered);
        }
        message.destination = static_cast<std::uint16_t>(destination);
        trace::carried(message, envelope.source(), stamp);
        Protocol* const protocol = message.protocol();
        if (helper_.put(message) && protocol != nullptr)
            (void)protocol->bring(message, offer, to_deliver);
        return {};
    }

    void want_budget(bool wants) override
    {
        if (wants != wants_budget_)
            helper_.want_budget(wants);
        wants_budget_ = wants;
    }

    MachineMeetings* meetings() override { return helper_.meetings(); }

    std::uint32_t sequence() const override { return helper_.sequence(); }
    void begin_rest(std::uint32_t seen) override
    {
        WaitDetails details = to_deliver;
        details.length = wants_budget_ ? 1 : 0;
        parts_.record.begin(details, seen, false);
    }
    void end_rest() override { parts_.record.end(); }
    Result<void> wait(std::uint32_t seen) override { return helper_.wait(seen); }
    void signal() override { helper_.wake(helper_.number()); }

private:
    static constexpr WaitDetails to_deliver{WaitReason::delivery_process, 0, 0, -1};

    bool is_taken(const Message& message) const
    {
        return message.data_is_inside() || parts_.buffers.contains(message.data);
    }

    // The envelope names the sender over there, but the message's memory comes back to this helper.
    Envelope in_its_name(const Envelope& envelope, std::uint8_t slot) const
    {
        const Envelope sender({envelope.node(), envelope.pid()}, static_cast<std::uint16_t>(own_));
        return sender.addressed(envelope.type(), envelope.length(), envelope.sender(),
                                Envelope::home_bits(slot));
    }

    // Errors: no_memory.
    Result<MessageMemory*> new_message()
    {
        if (MessageMemory* const spare = parts_.pool.take())
            return spare;
        auto* const message = new (TRY(parts_.buffers.allocate(sizeof(Message)))) Message;
        parts_.pool.adopt(*message);
        return message;
    }

    Helper& helper_;
    const HelperParts& parts_;
    const Layout layout_;
    Polling& polling_;
    const unsigned own_;
    bool wants_budget_ = false;
};

} // namespace parley::messaging
