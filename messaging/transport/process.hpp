// SPDX-License-Identifier: MIT
// An independent delivery process moves every message from the sender to its destination.
#pragma once

#include "interface/capabilities.h"
#include "messaging/transport.hpp"

#include <string_view>

namespace parley::messaging {

class ProcessTransport final : public Transport {
public:
    static constexpr std::string_view name = "process";
    static constexpr std::string_view promise = "a delivery process of the job moves every message";
    static constexpr unsigned capabilities = NX_MESSAGES_ARE_CARRIED;
    static constexpr unsigned helpers = 1;
    template <class E>
    using LookingCalls = UnpolledCalls;

    void bind(Binding& binding) const override { binding.send_nothing_eagerly(); }
    unsigned route(unsigned, unsigned, const Layout& layout) const override { return layout.first_helper(); }

    Result<void> help(Helper& helper) override
    {
        for (;;) {
            const std::uint32_t seen = helper.sequence();
            if (Message* const message = TRY(helper.next())) {
                helper.relay(*message);
                TRY_VOID(helper.put(*message));
            } else if (helper.all_have_ended())
                return {};
            else
                TRY_VOID(helper.wait(seen));
        }
    }
};

} // namespace parley::messaging
