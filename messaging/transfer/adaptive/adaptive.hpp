// SPDX-License-Identifier: MIT
// The way of a message depends on its length. Up to the first limit it travels in the space that the message
// has ready; up to the second it is copied to a system buffer and out of it again; a longer one is moved
// through a system buffer in pieces, while both sides copy.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/transfer/adaptive/pipeline.hpp"
#include "messaging/transfer/double_copy.hpp"
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
        : double_copy_limit_(values[1]), double_copy_(parts, static_cast<std::uint32_t>(values[0])),
          pipeline_(parts.location, parts.buffers, parts.exchange)
    {
    }

    void bind(Binding& binding) const override { double_copy_.bind(binding); }
    Result<void> check(const ReceiveArguments&, Want) const override { return {}; }

    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (message.length() > double_copy_limit_)
            return offer_in_pieces(message, offer);
        return double_copy_.offer(message, offer);
    }

    Result<Custody> repeat(Message& message, const Offer& more) override { return offer(message, more); }

    // What is being moved in pieces moves on as it is.
    void relay(Message& message) override
    {
        if (message.protocol() == nullptr)
            double_copy_.relay(message);
    }

    Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress buffer) override
    {
        if (message.protocol() != nullptr)
            return accept_in_pieces(message, buffer);
        return double_copy_.accept(message, receiver, buffer);
    }

    // A piecewise message has a system buffer, too.
    void drop(Message& message) override { double_copy_.drop(message); }

private:
    [[gnu::noinline]] Result<Custody> offer_in_pieces(Message& message, const Offer& offer)
    {
        TRY_VOID(pipeline_.begin(message, offer));
        return Custody::followed;
    }

    [[gnu::noinline]] Result<UserAddress> accept_in_pieces(Message& message, UserAddress buffer)
    {
        const Result<void> taken = pipeline_.take(message, buffer);
        if (!taken && taken.error() == Error::would_block)
            return std::unexpected(Error::would_block);
        drop(message);
        if (!taken)
            return std::unexpected(taken.error());
        return buffer;
    }

    const std::uint64_t double_copy_limit_;
    DoubleCopyTransfer<L> double_copy_;
    adaptive::Pipeline<L> pipeline_;
};

} // namespace parley::messaging
