// SPDX-License-Identifier: MIT
// Every other poll looks into the far source.
#pragma once

#include "messaging/polling.hpp"

#include <string_view>

namespace parley::messaging {

class AlternatePolling final : public Polling {
public:
    static constexpr std::string_view name = "alternate";
    static constexpr std::string_view promise = "every other poll looks into the far source";

private:
    std::uint64_t choose_period(std::uint64_t, unsigned) override { return 2; }
};

} // namespace parley::messaging
