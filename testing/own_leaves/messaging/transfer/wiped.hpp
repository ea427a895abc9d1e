// SPDX-License-Identifier: MIT
// Copies twice, and leaves no byte of a message in the system: its buffer is overwritten before it is free.
#pragma once

#include "messaging/transfer/double_copy.hpp"

#include <string_view>

namespace parley::messaging {

template <class L = Location>
class WipedTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "wiped";
    static constexpr std::string_view promise =
        "full NX/2 semantics with any buffers; the system keeps no byte of a message that is over";

    explicit WipedTransfer(const TransferParts<L>& parts) : location_(parts.location), copying_(parts) { }

    void bind(Binding& binding) const override { copying_.bind(binding); }
    Result<void> check(const ReceiveArguments& arguments, Want want) const override
    {
        return copying_.check(arguments, want);
    }
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        return copying_.offer(message, offer);
    }
    Result<Custody> repeat(Message& message, const Offer& offer) override
    {
        return copying_.repeat(message, offer);
    }
    // A second buffer would leave the first one as it is.
    void relay(Message&) override { }
    Result<UserAddress> accept(Message& message, unsigned, UserAddress buffer) override
    {
        const Result<void> copied = location_.copy_out(buffer, message.data, message.length());
        drop(message);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }
    void drop(Message& message) override
    {
        for (std::uint32_t at = 0; at < message.length(); ++at)
            message.data[at] = std::byte{};
        copying_.drop(message);
    }

private:
    L& location_;
    DoubleCopyTransfer<L> copying_;
};

} // namespace parley::messaging
