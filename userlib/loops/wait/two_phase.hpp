// SPDX-License-Identifier: MIT
// A thread looks for a bounded time, then sleeps. Where threads share processors the time is short: what is
// waited for may need this very processor.
#pragma once

#include "userlib/loops/wait/wait.hpp"

#include <string_view>

namespace parley::loops {

class TwoPhaseWait final : public Wait {
public:
    static constexpr std::string_view name = "two-phase";
    static constexpr std::string_view promise = "a waiting thread looks so many times, then sleeps";
    static constexpr LeafArgument arguments[] = {
        {"looks", "how often it looks before it sleeps; a hundredth of that where threads share processors",
         units::number, 0, 1'000'000'000, 100'000},
    };

    TwoPhaseWait(const WaitParts& parts, const LeafValues& values)
        : looks_(parts.crowded ? values[0] / 100 : values[0])
    {
    }

private:
    void look(Signal& signal, std::uint32_t before, Meanwhile& meanwhile) override
    {
        for (std::uint64_t left = looks_; left > 0; --left) {
            if (signal.moved_since(before) || meanwhile.has_work())
                return;
            platform::pause();
        }
        signal.sleep(before, meanwhile);
    }

    std::uint64_t looks_;
};

} // namespace parley::loops
