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

    bool looks_far() override { return looks_ = !looks_; }
    void note(unsigned, unsigned) override { }
    void look_next() override { looks_ = false; }
    std::uint64_t period() const override { return 2; }

private:
    bool looks_ = false;
};

} // namespace parley::messaging
