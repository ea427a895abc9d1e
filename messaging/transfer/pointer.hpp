// SPDX-License-Identifier: MIT
// No bytes move: the sender's block of the shared region changes owner. A broadcast block belongs to all its
// readers until the last one releases it.
#pragma once

#include "interface/capabilities.h"
#include "messaging/location.hpp"
#include "messaging/memory/blocks.hpp"
#include "messaging/message/message.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class PointerTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "pointer";
    static constexpr std::string_view promise =
        "no copy: a block changes owner, crecvp receives it; not promised: crecv "
        "and irecv of bytes, and buffers that are not whole blocks of nx_alloc";
    static constexpr unsigned capabilities = NX_BLOCKS_CHANGE_OWNER | NX_BUFFERS_MUST_BE_SHARED;

    explicit PointerTransfer(const TransferParts<L>& parts)
        : shared_(parts.location.shared()), blocks_(parts.blocks), location_(parts.location)
    {
    }

    void bind(Binding& binding) const override
    {
        binding.check_receives_from(1);
        binding.carry_references();
    }

    // A message without bytes has no block.
    Result<void> check(const ReceiveArguments& arguments, Want want) const override
    {
        if (want != Want::block && arguments.maximum != 0)
            return std::unexpected(Error::needs_crecvp);
        return {};
    }

    // Errors: not_shared, not_owned, bad_length.
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        const std::uintptr_t carried =
            offer.copies == 1 ? blocks_.give_first(offer.sender, offer.buffer.value, message.length()) : 0;
        return carried != 0 ? carry(message, carried) : give(message, offer);
    }

    // A block that several messages carry goes by its address.
    Result<Custody> repeat(Message& message, const Offer& offer) override
    {
        message.data = reinterpret_cast<std::byte*>(offer.buffer.value);
        return Custody::taken;
    }

    // The bytes go into a block of the helper's own, and out of one.
    Result<Custody> bring_in(Message& message, const Offer& offer) override
    {
        const UserAddress block{TRY(blocks_.allocate(offer.sender, message.length(), 1))};
        const Result<void> copied = location_.copy_out(
            block, reinterpret_cast<const std::byte*>(offer.buffer.value), message.length());
        const Result<Custody> custody = copied ? this->offer(message, {offer.sender, block, offer.copies})
                                               : std::unexpected(copied.error());
        if (!custody)
            (void)blocks_.release(offer.sender, block.value);
        return custody;
    }
    Result<void> bring_out(Message& message, unsigned helper, std::byte* buffer) override
    {
        const UserAddress block{blocks_.accept(helper, carried_by(message))};
        const Result<void> copied = location_.copy_in(buffer, block, message.length());
        const Result<void> released = blocks_.release(helper, block.value);
        return copied ? released : copied;
    }

    void relay(Message&) override { } // a block moves on as it is

    Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress) override
    {
        return UserAddress{blocks_.accept(receiver, carried_by(message))};
    }

    void drop(Message& message) override { blocks_.discard(carried_by(message)); }

private:
    static Custody carry(Message& message, std::uintptr_t carried)
    {
        message.data = reinterpret_cast<std::byte*>(carried);
        return Custody::taken;
    }
    [[gnu::noinline]] Result<Custody> give(Message& message, const Offer& offer)
    {
        if (!shared_.contains(offer.buffer, message.length()))
            return std::unexpected(Error::not_shared);
        return carry(message,
                     TRY(blocks_.give(offer.sender, offer.buffer.value, message.length(), offer.copies)));
    }
    static std::uintptr_t carried_by(const Message& message)
    {
        return reinterpret_cast<std::uintptr_t>(message.data);
    }

    const SharedRange shared_;
    Blocks& blocks_;
    L& location_;
};

} // namespace parley::messaging
