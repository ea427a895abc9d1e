// SPDX-License-Identifier: MIT
// The way of a message depends on its length. Up to the first limit it travels in the space that the message
// has ready; up to the second it is copied to a system buffer and out of it again; a longer one is moved
// through a system buffer in pieces, while both sides copy.
#pragma once

#include "kernel/base/leaf_argument.hpp"
#include "messaging/transfer/adaptive/pipeline.hpp"
#include "messaging/transfer_parts.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class AdaptiveTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "adaptive";
    static constexpr std::string_view promise =
        "full NX/2 semantics with any buffers; long messages are moved while both sides copy";
    static constexpr LeafArgument arguments[] = {
        {"inline-limit", "longest message that travels inline", units::bytes, 0, Message::short_bytes,
         Message::short_bytes},
        {"double-copy-limit", "longest message that is copied to a system buffer before it is put",
         units::bytes, Message::short_bytes, Envelope::longest, 8192},
    };

    AdaptiveTransfer(const TransferParts<L>& parts, const LeafValues& values)
        : inline_limit_(values[0]), double_copy_limit_(values[1]), location_(parts.location),
          buffers_(parts.buffers), pipeline_(parts.location, parts.buffers, parts.exchange)
    {
    }

    void bind(Binding&) const override { }
    Result<void> check(const ReceiveArguments&, Want) override { return {}; }

    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (message.length() > double_copy_limit_) {
            TRY_VOID(pipeline_.begin(message, offer));
            return Custody::followed;
        }
        message.data = message.space;
        if (message.length() > inline_limit_) {
            if (message.length() > buffers_.largest())
                return std::unexpected(Error::over_budget);
            message.data = TRY(buffers_.allocate(message.length()));
        }
        const Result<void> copied = location_.copy_in(message.data, offer.buffer, message.length());
        if (copied)
            return Custody::taken;
        drop(message);
        return std::unexpected(copied.error());
    }

    Result<Custody> repeat(Message& message, const Offer& more) override { return offer(message, more); }

    // What is being moved in pieces moves on as it is; else the delivery process makes its own copy, as far
    // as the budget has room for it: a delivery process that waited for that could never free any.
    void relay(Message& message) override
    {
        if (message.protocol() != nullptr)
            return;
        if (message.data_is_inside()) {
            platform::copy(message.space + Message::short_bytes, message.data, message.length());
            message.data = message.space + Message::short_bytes;
            return;
        }
        const Result<std::byte*> second = buffers_.allocate(message.length());
        if (!second)
            return;
        platform::copy(*second, message.data, message.length());
        buffers_.release(message.data);
        message.data = *second;
    }

    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        const Result<void> copied = message.protocol() != nullptr
                                        ? pipeline_.take(message, buffer)
                                        : location_.copy_out(buffer, message.data, message.length());
        if (!copied && copied.error() == Error::would_block)
            return std::unexpected(Error::would_block);
        drop(message);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    void drop(Message& message) override
    {
        if (!message.data_is_inside())
            buffers_.release(message.data);
        message.data = message.space;
    }

private:
    const std::uint64_t inline_limit_;
    const std::uint64_t double_copy_limit_;
    L& location_;
    BuddyHeap& buffers_;
    adaptive::Pipeline<L> pipeline_;
};

} // namespace parley::messaging
