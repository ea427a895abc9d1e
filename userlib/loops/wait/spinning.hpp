// SPDX-License-Identifier: MIT
// A thread looks until it has seen what it waits for, as Cedar's helpers did. Where threads share processors
// it gives way between looks.
#pragma once

#include "userlib/loops/wait/wait.hpp"

#include <string_view>

namespace parley::loops {

class SpinningWait final : public Wait {
public:
    static constexpr std::string_view name = "spinning";
    static constexpr std::string_view promise = "a waiting thread looks and keeps its processor";

    explicit SpinningWait(const WaitParts& parts) : crowded_(parts.crowded) { }

private:
    void look(Signal& signal, std::uint32_t before, Meanwhile& meanwhile) override
    {
        platform::SpinWait spin;
        while (!signal.moved_since(before) && !meanwhile.has_work())
            if (crowded_)
                spin.once();
            else
                platform::pause();
    }

    bool crowded_;
};

} // namespace parley::loops
