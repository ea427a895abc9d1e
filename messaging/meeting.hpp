// SPDX-License-Identifier: MIT
// Tells which process of one row (directory.hpp) is the last to come to where they meet. A meeting lies with
// the row's process of node 0, and is forgotten when what was sent to that process is. Any process of the row
// calls this, on one machine.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

class Meeting {
public:
    // Each of `members` calls this once, and comes to the next meeting only after the last to come has let
    // it. True for the last alone, which then sees what all others did before they came.
    bool come(unsigned members)
    {
        const std::uint32_t before = come_.fetch_add(1, std::memory_order_acq_rel);
        assert_that([&] { return before < members; });
        if (before + 1 < members)
            return false;
        // All others see it, since they hear from the caller that they may go on.
        come_.store(0, std::memory_order_relaxed);
        return true;
    }

    // Makes it so that nobody has come. Release pairs with come(): who comes after the owner's end sees that
    // it has ended.
    void forget() { come_.store(0, std::memory_order_release); }

private:
    Atomic<std::uint32_t> come_{0};
};

} // namespace parley::messaging
