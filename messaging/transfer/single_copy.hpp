// SPDX-License-Identifier: MIT
// The receiver copies straight from the sender's buffer into its own; both lie in the shared region. Until
// then the sender's buffer is lent.
#pragma once

#include "kernel/interface/capabilities.h"
#include "messaging/location.hpp"
#include "messaging/message.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class SingleCopyTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "single-copy";
    static constexpr std::string_view promise =
        "one copy between buffers in the shared region; not promised: that a buffer "
        "may change before its message has been received";
    static constexpr unsigned capabilities = PARLEY_BUFFERS_ARE_LENT | PARLEY_BUFFERS_MUST_BE_SHARED;

    explicit SingleCopyTransfer(const TransferParts<L>& parts)
        : location_(parts.location),
          tries_(parts.location.checks_addresses() && parts.location.shares({}, ~std::size_t{0}))
    {
    }

    // Errors: not_shared, bad_buffer.
    Result<void> offer(Message& message, const Offer& offer) override
    {
        if (!location_.shares(offer.buffer, message.length()))
            return std::unexpected(Error::not_shared);
        if (tries_ && message.length() > 0 && !is_readable(location_, offer.buffer, message.length()))
            return std::unexpected(Error::bad_buffer);
        return repeat(message, offer);
    }

    Result<void> repeat(Message& message, const Offer& offer) override
    {
        message.data = reinterpret_cast<std::byte*>(offer.buffer.value);
        return {};
    }

    void relay(Message&) override { } // a reference moves on as it is

    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        const UserAddress from{reinterpret_cast<std::uintptr_t>(message.data)};
        const Result<void> copied = location_.copy_across(buffer, from, message.length());
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    void drop(Message&) override { }

private:
    L& location_;
    const bool tries_; // one domain makes every address a shared one
};

} // namespace parley::messaging
