// SPDX-License-Identifier: MIT
// A job's nodes are on several machines. Those of one meet in its memory, as under transport=buffered, and a
// helper moves messages between that and the network. The short way of csend asks nothing more: that a
// destination is elsewhere is out of the ordinary (StatusWord), and so on the full way.
#pragma once

#include "interface/capabilities.h"
#include "messaging/transport.hpp"

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

    void bind(Binding&) const override { }
    unsigned route(unsigned destination, const Layout& layout) const override
    {
        return layout.is_here(destination) ? destination : layout.first_helper();
    }

    // On a machine by itself there is nothing to carry.
    Result<void> help(Helper& helper) override
    {
        if (Network* const network = helper.network()) {
            network->carry(helper.gateway());
            return {};
        }
        for (;;) {
            const std::uint32_t seen = helper.sequence();
            if (helper.all_have_ended())
                return {};
            TRY_VOID(helper.wait(seen));
        }
    }
};

} // namespace parley::messaging
