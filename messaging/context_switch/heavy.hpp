// SPDX-License-Identifier: MIT
// Every process has a domain of its own.
#pragma once

#include <string_view>

namespace parley::messaging {

struct HeavyContextSwitch final {
    static constexpr std::string_view name = "heavy";
    static constexpr std::string_view promise = "a domain for each process: only the shared region is common";
};

} // namespace parley::messaging
