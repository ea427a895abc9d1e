// SPDX-License-Identifier: MIT
// Every process has a domain of its own.
#pragma once

#include "messaging/context_switch.hpp"

#include <string_view>

namespace parley::messaging {

class HeavyContextSwitch final : public ContextSwitch {
public:
    static constexpr std::string_view name = "heavy";
    static constexpr std::string_view promise = "a domain for each process: only the shared region is common";
    static constexpr bool one_domain = false;

    bool shares_domain() const override { return one_domain; }
};

} // namespace parley::messaging
