// SPDX-License-Identifier: MIT
// NX/2's own protocol. Up to 100 bytes are copied twice, through the space that the message has ready. A
// longer message is a request to send without bytes, an answer, and then its bytes: from the sender's buffer
// straight into the posted receive's, or, when no receive is posted, into a system buffer where they are
// queued. See docs/nx2-protocol.md.
#pragma once

#include "messaging/transfer/nx2/handshake.hpp"
#include "messaging/transfer_parts.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class Nx2Transfer final : public Transfer {
public:
    static constexpr std::string_view name = "nx2";
    static constexpr std::string_view promise =
        "full NX/2 semantics with any buffers; above 100 bytes one copy into a posted receive, else two";
    static constexpr bool writes_to_receivers = true;

    explicit Nx2Transfer(const TransferParts<L>& parts)
        : location_(parts.location), buffers_(parts.buffers),
          rendezvous_(parts.location, parts.buffers, parts.exchange)
    {
    }

    // Senders bring long messages straight to the receive that waits.
    void bind(Binding& binding) const override
    {
        binding.post_receives();
        binding.carry_bytes(longest_short);
    }
    Result<void> check(const ReceiveArguments&, Want) const override { return {}; }

    // For a long message this only tries both ends of its buffer.
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (message.length() <= longest_short) {
            message.data = message.space;
            TRY_VOID(location_.copy_in(message.data, offer.buffer, message.length()));
            return Custody::taken;
        }
        if (!is_readable(location_, offer.buffer, message.length()))
            return std::unexpected(Error::bad_buffer);
        rendezvous_.begin(message);
        return Custody::followed;
    }

    Result<Custody> repeat(Message& message, const Offer& more) override { return offer(message, more); }

    // A request to send moves on as it is.
    void relay(Message& message) override
    {
        if (message.length() > longest_short)
            return;
        platform::copy(message.helpers_space(), message.data, message.length());
        message.data = message.helpers_space();
    }

    // Errors: closed, for a sender that did not come to bring the bytes.
    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        if (message.data == nullptr)
            return std::unexpected(Error::closed);
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
        if (message.length() > longest_short)
            drop(message);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }

    void drop(Message& message) override
    {
        if (message.data != nullptr && !message.data_is_inside())
            buffers_.release(message.data);
        message.data = nullptr;
    }

private:
    static constexpr std::uint32_t longest_short = 100; // bytes that need no rendezvous

    L& location_;
    BuddyHeap& buffers_;
    nx2::Rendezvous<L> rendezvous_;
};

} // namespace parley::messaging
