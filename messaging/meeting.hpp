// SPDX-License-Identifier: MIT
// Who is the last to come to where the processes of one row (directory.hpp) meet. It lies with the process of
// node 0, and is forgotten when what was sent to that process is. Any of them calls this, on one machine.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

class Meeting {
public:
    // Once by each of `members`, none of whom comes to the next meeting before the last to come has let it.
    // True for that one alone, which then sees what all others did before they came.
    bool come(unsigned members)
    {
        if (come_.fetch_add(1, std::memory_order_acq_rel) + 1 < members)
            return false;
        // All others see it, since they hear from the caller that they may go on.
        come_.store(0, std::memory_order_relaxed);
        return true;
    }

    // Nobody has come. Release pairs with come(): who comes after the owner's end sees that it has ended.
    void forget() { come_.store(0, std::memory_order_release); }

private:
    Atomic<std::uint32_t> come_{0};
};

} // namespace parley::messaging
