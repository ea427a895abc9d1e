// SPDX-License-Identifier: MIT
// The receiver copies straight from the sender's buffer into its own; both lie in the shared region. Until
// then the sender's buffer is lent.
#pragma once

#include "interface/capabilities.h"
#include "messaging/location.hpp"
#include "messaging/message/message.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"

#include <string_view>

namespace parley::messaging {

// What is done only when nothing may be lent, or when addresses are tried, is not inlined (noinline), so that
// the usual way saves no registers for it.
template <class L = Location>
class SingleCopyTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "single-copy";
    static constexpr std::string_view promise =
        "one copy between buffers in the shared region; not promised: that a buffer "
        "may change before its message has been received";
    static constexpr unsigned capabilities = NX_BUFFERS_ARE_LENT | NX_BUFFERS_MUST_BE_SHARED;

    explicit SingleCopyTransfer(const TransferParts<L>& parts)
        : location_(parts.location), buffers_(parts.buffers), exchange_(parts.exchange),
          shared_(parts.location.shared()),
          tries_(parts.location.checks_addresses() && shared_.contains({}, ~std::size_t{0}))
    {
    }

    void bind(Binding& binding) const override
    {
        binding.check_receives_from(1);
        binding.check_blocks_from(1);
    }

    Result<void> check(const ReceiveArguments& arguments, Want) const override
    {
        const auto maximum = static_cast<std::size_t>(arguments.maximum);
        if (maximum > 0 && !shared_.contains({arguments.buffer}, maximum))
            return std::unexpected(Error::not_shared);
        return {};
    }

    // A buffer that may not be lent is copied against the job's budget. Errors: also not_shared, bad_buffer.
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (!shared_.contains(offer.buffer, message.length()))
            return std::unexpected(Error::not_shared);
        if (tries_ || !offer.may_lend)
            return offer_otherwise(message, offer);
        return repeat(message, offer);
    }

    Result<Custody> repeat(Message& message, const Offer& offer) override
    {
        message.data = reinterpret_cast<std::byte*>(offer.buffer.value);
        return Custody::lent;
    }

    // The helper's bytes lie in no shared region: they are copied against the job's budget.
    Result<Custody> bring_in(Message& message, const Offer& offer) override { return take(message, offer); }

    void relay(Message&) override { } // a reference moves on as it is

    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        if (is_taken(message))
            return accept_taken(message, buffer);
        const UserAddress from{reinterpret_cast<std::uintptr_t>(message.data)};
        const Result<void> copied = location_.copy_across(buffer, from, message.length());
        // A sender that has been killed was marked before its blocks went to others: who has read what those
        // have written there, or found nothing there, sees the mark, since this processor reads in order.
        std::atomic_signal_fence(std::memory_order_acquire);
        if (exchange_.state_of(message.source()) == EndpointState::killed)
            return std::unexpected(Error::closed);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    void drop(Message& message) override
    {
        if (is_taken(message))
            buffers_.release(message.data);
    }

private:
    bool is_taken(const Message& message) const { return buffers_.contains(message.data); }

    [[gnu::noinline]] Result<Custody> offer_otherwise(Message& message, const Offer& offer)
    {
        if (tries_ && !is_readable(location_, offer.buffer, message.length()))
            return std::unexpected(Error::bad_buffer);
        return offer.may_lend ? repeat(message, offer) : take(message, offer);
    }

    Result<Custody> take(Message& message, const Offer& offer)
    {
        if (message.length() > buffers_.largest())
            return std::unexpected(Error::over_budget);
        message.begin_filling(TRY(buffers_.allocate(message.length())));
        const Result<void> copied = location_.copy_in(message.data, offer.buffer, message.length());
        message.end_filling();
        if (!copied) {
            buffers_.release(message.data);
            return std::unexpected(copied.error());
        }
        return Custody::taken;
    }

    [[gnu::noinline]] Result<UserAddress> accept_taken(Message& message, UserAddress buffer)
    {
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
        buffers_.release(message.data);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    L& location_;
    BuddyHeap& buffers_;
    Exchange& exchange_;
    const SharedRange shared_;
    const bool tries_; // one domain makes every address a shared one
};

} // namespace parley::messaging
