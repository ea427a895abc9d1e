// SPDX-License-Identifier: MIT
// One poll of so many looks into the far source, whatever comes.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/polling.hpp"

#include <string_view>

namespace parley::messaging {

class FractionalPolling final : public Polling {
public:
    static constexpr std::string_view name = "fractional";
    static constexpr std::string_view promise =
        "one poll of so many looks into the far source, whatever comes";
    static constexpr LeafArgument arguments[] = {
        {"period", "polls of which one looks into the far source", units::number, 1, 4'096, 16}};

    explicit FractionalPolling(const LeafValues& values) : polls_(values[0]) { }

private:
    std::uint64_t choose_period(std::uint64_t, unsigned) override { return polls_; }

    const std::uint64_t polls_;
};

} // namespace parley::messaging
