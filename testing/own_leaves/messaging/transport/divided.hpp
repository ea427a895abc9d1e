// SPDX-License-Identifier: MIT
// Two delivery processes divide the work: one moves what is meant for processes with even numbers, the other
// the rest.
#pragma once

#include "interface/capabilities.h"
#include "messaging/transport.hpp"
#include "messaging/transport/process.hpp"

#include <string_view>

namespace parley::messaging {

class DividedTransport final : public Transport {
public:
    static constexpr std::string_view name = "divided";
    static constexpr std::string_view promise = "two delivery processes of the job move every message";
    static constexpr unsigned capabilities = NX_MESSAGES_ARE_CARRIED;
    static constexpr unsigned helpers = 2;

    void bind(Binding& binding) const override { binding.send_nothing_eagerly(); }
    unsigned route(unsigned, unsigned destination, const Layout& layout) const override
    {
        return layout.first_helper() + destination % helpers;
    }
    Result<void> help(Helper& helper) override { return each_.help(helper); }

private:
    ProcessTransport each_; // what each of them does
};

} // namespace parley::messaging
