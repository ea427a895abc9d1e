// SPDX-License-Identifier: MIT
// Converts times of another machine's clock into the first one's. Two readings tell how far that clock is off
// and how fast it runs; between them it is taken to run evenly, as time-stamp counters do, so that a time is
// as sure as the readings are.
#pragma once

#include "native/network/clock_reading.hpp"

#include <cstdint>

namespace parley::native {

class MachineClock {
public:
    // The begin must have been read. `rate`: the first machine's cycles in one of the other's, as either has
    // measured its own frequency; of use where the end could not be read.
    MachineClock(const ClockReadings& readings, double rate);

    // What the first machine's clock said when the other's said this. 0, which is no time, stays 0, and a
    // time that lies outside of all becomes the earliest or latest that there is.
    std::uint64_t to_first(std::uint64_t there) const;
    // How many of the first machine's cycles last as long.
    std::uint64_t duration_of(std::uint64_t cycles) const;
    // By how many of the first machine's cycles to_first() may be wrong between the begin and this time.
    std::uint64_t doubt_until(std::uint64_t there) const;

private:
    // What a frequency that was measured in some milliseconds may be wrong by.
    static constexpr double unsure_rate = 1e-4;

    const ClockReadings readings_;
    const bool has_end_;
    const double rate_;
};

} // namespace parley::native
