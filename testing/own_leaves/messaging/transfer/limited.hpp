// SPDX-License-Identifier: MIT
// A transfer that only a test composes: copies twice, and refuses a message longer than it is told.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/transfer/double_copy.hpp"

namespace parley::messaging {

template <class L = Location>
class LimitedTransfer final : public Transfer {
public:
    static constexpr std::string_view name = "limited";
    static constexpr std::string_view promise = "no message is longer than it is told";
    static constexpr LeafArgument arguments[] = {
        {"least", "shortest message that is carried", units::bytes, 1, 100, 1},
        {"most", "longest message that is carried", units::bytes, 100, Envelope::longest, Envelope::longest},
    };

    LimitedTransfer(const TransferParts<L>& parts, const LeafValues& values)
        : copying_(parts), least_(values[0]), most_(values[1])
    {
    }

    void bind(Binding& binding) const override { copying_.bind(binding); }
    Result<void> check(const ReceiveArguments& arguments, Want want) const override
    {
        return copying_.check(arguments, want);
    }
    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        if (message.length() < least_ || message.length() > most_)
            return std::unexpected(Error::bad_argument);
        return copying_.offer(message, offer);
    }
    Result<Custody> repeat(Message& message, const Offer& offer) override
    {
        return copying_.repeat(message, offer);
    }
    void relay(Message& message) override { copying_.relay(message); }
    Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress buffer) override
    {
        return copying_.accept(message, receiver, buffer);
    }
    void drop(Message& message) override { copying_.drop(message); }

private:
    DoubleCopyTransfer<L> copying_;
    std::size_t least_;
    std::size_t most_;
};

} // namespace parley::messaging
