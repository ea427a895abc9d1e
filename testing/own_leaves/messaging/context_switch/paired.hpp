// SPDX-License-Identifier: MIT
// Two processes of a job share a domain.
#pragma once

#include <string_view>

namespace parley::messaging {

struct PairedContextSwitch final {
    static constexpr std::string_view name = "paired";
    static constexpr std::string_view promise = "a domain for every two processes, which see each other's "
                                                "memory; not promised: protection in a pair";
};

} // namespace parley::messaging
