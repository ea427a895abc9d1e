// SPDX-License-Identifier: MIT
// A thread that waits leaves its processor to others at once.
#pragma once

#include "userlib/loops/wait/wait.hpp"

#include <string_view>

namespace parley::loops {

class SleepingWait final : public Wait {
public:
    static constexpr std::string_view name = "sleeping";
    static constexpr std::string_view promise = "a waiting thread sleeps at once";

    explicit SleepingWait(const WaitParts&) { }

private:
    void look(Signal& signal, std::uint32_t before, Meanwhile& meanwhile) override
    {
        signal.sleep(before, meanwhile);
    }
};

} // namespace parley::loops
