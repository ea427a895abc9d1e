// SPDX-License-Identifier: MIT
// All processes of a job live in one domain, so a switch between them keeps the address space, and every
// buffer is shared.
#pragma once

#include "messaging/context_switch.hpp"

#include <string_view>

namespace parley::messaging {

class LightContextSwitch final : public ContextSwitch {
public:
    static constexpr std::string_view name = "light";
    static constexpr std::string_view promise =
        "one domain for the job: cheap switches, any buffer is shared; "
        "not promised: protection between its processes";
    static constexpr bool one_domain = true;

    bool shares_domain() const override { return one_domain; }
};

} // namespace parley::messaging
