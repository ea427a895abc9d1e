// SPDX-License-Identifier: MIT
// The clocks of two machines at one moment, as a round trip between them has told: time-stamp counters of
// different machines begin at different times and count at rates of their own.
#pragma once

#include <cstdint>

namespace parley::native {

struct ClockReading {
    std::uint64_t first; // the first machine's clock,
    std::uint64_t there; // when the other machine's said this,
    std::uint64_t doubt; // give or take so many cycles of the first one's; 0: nobody has read them

    bool is_taken() const { return doubt != 0; }
};

// The readings of one machine, before its ranks began and after they had ended.
struct ClockReadings {
    ClockReading begin, end;
};

} // namespace parley::native
