// SPDX-License-Identifier: MIT
// All processes of a job live in one domain, so a switch between them keeps the address space, and every
// buffer is shared.
#pragma once

#include "interface/capabilities.h"
#include <string_view>

namespace parley::messaging {

struct LightContextSwitch final {
    static constexpr std::string_view name = "light";
    static constexpr std::string_view promise =
        "one domain for the job: cheap switches, any buffer is shared; "
        "not promised: protection between its processes";
    static constexpr unsigned capabilities = NX_ONE_ADDRESS_SPACE;
};

} // namespace parley::messaging
