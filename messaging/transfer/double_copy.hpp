// SPDX-License-Identifier: MIT
// The sender copies into a system buffer, the receiver copies out of it. Short messages use the space in the
// message itself, which the sender's pool has ready; longer ones a buffer from the job's budget.
#pragma once

#include "messaging/location.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/message/message.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class DoubleCopyTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "double-copy";
    static constexpr std::string_view promise = "full NX/2 semantics with any buffers";

    // `inline_limit`: the longest message that uses the space in itself, at most Message::short_bytes.
    explicit DoubleCopyTransfer(const TransferParts<L>& parts,
                                std::uint32_t inline_limit = Message::short_bytes)
        : location_(parts.location), buffers_(parts.buffers), inline_limit_(inline_limit)
    {
    }

    // A port that carries a message has it copied in and out as well, so it carries what it has room for;
    // where the user has set a smaller inline limit than there may be, it carries no more than that. It
    // carries no address of bytes inside a message's memory, which is spare again at once.
    void bind(Binding& binding) const override
    {
        binding.carry_bytes(inline_limit_ < Message::short_bytes ? inline_limit_ : binding.room);
        if (binding.room >= inline_limit_)
            binding.carry_references();
    }
    Result<void> check(const ReceiveArguments&, Want) const override { return {}; }

    // The path of a message (README), 4.
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (!is_inline(message))
            return offer_long(message, offer);
        message.data = message.space;
        TRY_VOID(location_.copy_in(message.space, offer.buffer, message.length()));
        return Custody::taken;
    }

    Result<Custody> repeat(Message& message, const Offer& more) override { return offer(message, more); }

    // Copies to a second buffer, as the paper's delivery process does. When the budget has none, the first
    // buffer goes on: without that, senders that have used up the budget could keep the delivery process from
    // ever freeing any of it.
    void relay(Message& message) override
    {
        if (is_inline(message)) {
            platform::copy(message.helpers_space(), message.data, message.length());
            message.data = message.helpers_space();
            return;
        }
        const Result<std::byte*> second = buffers_.allocate(message.length());
        if (!second)
            return;
        platform::copy(*second, message.data, message.length());
        if (!message.data_is_inside())
            buffers_.release(message.data);
        message.data = *second;
    }

    Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress buffer) override
    {
        if (!is_inline(message))
            return accept_long(message, receiver, buffer);
        TRY_VOID(location_.copy_out(buffer, message.data, message.length()));
        return buffer;
    }

    void drop(Message& message) override
    {
        if (!message.data_is_inside())
            buffers_.release(message.data);
        message.data = message.space;
    }

private:
    bool is_inline(const Message& message) const { return message.length() <= inline_limit_; }

    [[gnu::noinline]] Result<Custody> offer_long(Message& message, const Offer& offer)
    {
        if (message.length() > buffers_.largest())
            return std::unexpected(Error::over_budget);
        message.begin_filling(TRY(buffers_.allocate(message.length(), offer.sender)));
        const Result<void> copied = location_.copy_in(message.data, offer.buffer, message.length());
        message.end_filling();
        if (copied)
            return Custody::taken;
        drop(message);
        return std::unexpected(copied.error());
    }

    [[gnu::noinline]] Result<UserAddress> accept_long(Message& message, unsigned receiver, UserAddress buffer)
    {
        const bool has_buffer = !message.data_is_inside();
        if (has_buffer)
            platform::fetch_to_write(message.data, message.length()); // its next send may use that buffer
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
        if (has_buffer)
            buffers_.release(message.data, receiver);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    L& location_;
    BuddyHeap& buffers_;
    const std::uint32_t inline_limit_;
};

} // namespace parley::messaging
