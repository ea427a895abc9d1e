// SPDX-License-Identifier: MIT
// A job's nodes are on several machines. Each machine has a message system with the endpoints of all, of
// which those of other machines are stand-ins: nobody runs there, and what is meant for them goes to the
// mailbox of a helper, which moves messages between its machine and the network. The processes of one machine
// meet in its memory, as under transport=buffered.
#pragma once

#include "interface/capabilities.h"
#include "messaging/transport.hpp"
#include "messaging/transport/network/helper_gateway.hpp"
#include "messaging/transport/network/nearby.hpp"

#include <string_view>

namespace parley::messaging {

class NetworkTransport final : public Transport {
public:
    static constexpr std::string_view name = "network";
    static constexpr std::string_view promise =
        "nodes on several machines: those of one move messages themselves, a network moves the others'";
    static constexpr unsigned capabilities = NX_SEVERAL_MACHINES;
    static constexpr unsigned helpers = 1;
    static constexpr bool joins_machines = true;
    template <class E>
    using LookingCalls = UnpolledCalls;

    explicit NetworkTransport(const TransportParts& parts)
        : layout_(parts.layout), nearby_(Nearby::of(parts.setting)), polling_(parts.polling)
    {
    }

    void bind(Binding&) const override { }
    unsigned route(unsigned, unsigned destination, const Layout& layout) const override
    {
        return nearby_.has(destination, layout) ? destination : layout.first_helper();
    }

    bool is_away(unsigned endpoint, const Layout& layout) const override
    {
        return !nearby_.has(endpoint, layout);
    }

    // The equipment is the Network. On a machine by itself there is none, and nothing to carry.
    Result<void> help(Helper& helper) override
    {
        if (auto* const network = static_cast<Network*>(helper.equipment())) {
            HelperGateway gateway(helper, layout_, *polling_);
            network->carry(gateway);
            return {};
        }
        for (;;) {
            const std::uint32_t seen = helper.sequence();
            if (helper.all_have_ended())
                return {};
            TRY_VOID(helper.wait(seen));
        }
    }

private:
    const Layout layout_;
    const Nearby nearby_;
    Polling* const polling_;
};

} // namespace parley::messaging
