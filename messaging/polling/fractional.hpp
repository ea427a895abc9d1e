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

    explicit FractionalPolling(const LeafValues& values) : period_(values[0]) { }

    bool looks_far() override
    {
        if (--left_ != 0)
            return false;
        left_ = period_;
        return true;
    }
    void note(unsigned, unsigned) override { }
    void look_next() override { left_ = 1; }
    std::uint64_t period() const override { return period_; }

private:
    const std::uint64_t period_;
    std::uint64_t left_ = 1;
};

} // namespace parley::messaging
