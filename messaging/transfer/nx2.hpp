// SPDX-License-Identifier: MIT
// NX/2's own protocol. Up to 100 bytes are copied twice, through the space that the message has ready. A
// longer message is a control message without bytes, an acknowledgement, and then its bytes: from the
// sender's buffer straight into the posted receive's, or, when no receive is posted, into a system buffer
// where they are queued. See docs/nx2-protocol.md.
#pragma once

#include "messaging/buddy_heap.hpp"
#include "messaging/location.hpp"
#include "messaging/negotiation.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"

#include "platform.hpp"

#include <new>
#include <string_view>

namespace parley::messaging {

template <class L = Location>
class Nx2Transfer final : public Transfer {
public:
    static constexpr std::string_view name = "nx2";
    static constexpr std::string_view promise =
        "full NX/2 semantics with any buffers; above 100 bytes one copy into a posted receive, else two";
    static constexpr bool negotiates = true;

    explicit Nx2Transfer(const TransferParts<L>& parts) : location_(parts.location), buffers_(parts.buffers)
    {
    }

    // Of a long message only the ends of its buffer are tried.
    Result<void> offer(Message& message, const Offer& offer) override
    {
        if (message.length() <= Negotiation::longest_short) {
            message.data = message.space;
            return location_.copy_in(message.data, offer.buffer, message.length());
        }
        message.data = nullptr;
        if (!is_readable(location_, offer.buffer, message.length()))
            return std::unexpected(Error::bad_buffer);
        new (message.space) Negotiation;
        return {};
    }

    Result<void> repeat(Message& message, const Offer& more) override { return offer(message, more); }

    // A control message moves on as it is.
    void relay(Message& message) override
    {
        if (message.length() > Negotiation::longest_short)
            return;
        platform::copy(message.space + Message::short_bytes, message.data, message.length());
        message.data = message.space + Message::short_bytes;
    }

    Result<void> fill(Message& message, const Offer& offer) override
    {
        message.data = TRY(buffers_.allocate(message.length()));
        const Result<void> copied = location_.copy_in(message.data, offer.buffer, message.length());
        if (!copied)
            drop(message);
        return copied;
    }

    Result<void> push(unsigned receiver, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        const Result<void> copied = location_.copy_to(receiver, to, from, bytes);
        if (!copied && !is_readable(location_, from, bytes))
            return std::unexpected(Error::bad_argument);
        return copied;
    }

    // Errors: closed, for a sender that did not come to bring the bytes.
    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        if (message.data == nullptr)
            return std::unexpected(Error::closed);
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
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
    L& location_;
    BuddyHeap& buffers_;
};

} // namespace parley::messaging
