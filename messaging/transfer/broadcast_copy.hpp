// SPDX-License-Identifier: MIT
// Double copy, and for a message to all nodes one system buffer that all its receivers copy from: the sender
// writes it once and it stays in the caches (the paper's recommendation 5d). The buffer's unit in the heap
// counts the messages that still refer to it.
#pragma once

#include "messaging/transfer/double_copy.hpp"
#include "sched/synchronization/spinning.hpp"

namespace parley::messaging {

template <class L = Location>
class BroadcastCopyTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "broadcast-copy";
    static constexpr std::string_view promise =
        "full NX/2 semantics with any buffers; the receivers of a broadcast copy from one buffer";

    explicit BroadcastCopyTransfer(const TransferParts<L>& parts)
        : location_(parts.location), buffers_(parts.buffers), double_copy_(parts)
    {
    }

    void bind(Binding& binding) const override { double_copy_.bind(binding); }
    Result<void> check(const ReceiveArguments&, Want) const override { return {}; }

    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        TRY(double_copy_.offer(message, offer));
        if (offer.copies > 1) {
            const bool outside = !message.data_is_inside();
            shared_by_[offer.sender] = outside ? message.data : nullptr;
            if (outside)
                begin_sharing(message, offer.copies);
        }
        return Custody::taken;
    }

    Result<Custody> repeat(Message& message, const Offer& more) override
    {
        if (shared_by_[more.sender] == nullptr)
            return double_copy_.offer(message, more);
        message.data = shared_by_[more.sender];
        return Custody::taken;
    }

    // What several messages share is not copied again: there would be a copy for each of them.
    void relay(Message& message) override
    {
        if (message.data_is_inside() || !is_shared(message))
            double_copy_.relay(message);
    }

    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
        if (message.length() > Message::short_bytes)
            drop(message);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    void drop(Message& message) override
    {
        if (!message.data_is_inside()) {
            const sched::ShortGuard guard(buffers_.lock());
            std::uint32_t& left = references(message, guard);
            left -= left > 0 ? 1 : 0;
            if (left == 0)
                buffers_.release_locked(message.data);
        }
        message.data = message.space;
    }

private:
    // How many messages share a buffer; 0: one has it for itself. The guard is of the heap's lock.
    std::uint32_t& references(const Message& message, const sched::ShortGuard&)
    {
        return buffers_.head_at(reinterpret_cast<std::uintptr_t>(message.data))->pending;
    }
    // So many messages will share the buffer of this one. None of them has been put yet, so their sender
    // alone has it.
    void begin_sharing(const Message& message, std::uint32_t messages)
    {
        buffers_.head_at(reinterpret_cast<std::uintptr_t>(message.data))->pending = messages;
    }

    // The answer does not change while the message has the buffer, but the count does.
    bool is_shared(const Message& message)
    {
        const sched::ShortGuard guard(buffers_.lock());
        return references(message, guard) != 0;
    }

    L& location_;
    BuddyHeap& buffers_;
    DoubleCopyTransfer<L> double_copy_;
    // The buffer of each sender's broadcast, for its further messages.
    std::byte* shared_by_[PARLEY_MAX_PROCESSES] = {};
};

} // namespace parley::messaging
