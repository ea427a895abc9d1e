// SPDX-License-Identifier: MIT
#include "native/nxrun/machine_clock.hpp"

#include <algorithm>
#include <cmath>

namespace parley::native {

namespace {

constexpr double latest = 9.2e18; // below 2^63

// Differences of counters are small beside the counters, which a double cannot tell apart.
double between(std::uint64_t from, std::uint64_t to)
{
    return static_cast<double>(static_cast<std::int64_t>(to - from));
}

} // namespace

MachineClock::MachineClock(const ClockReadings& readings, double rate)
    : readings_(readings), has_end_(readings.end.is_taken() && readings.end.there > readings.begin.there &&
                                    readings.end.first > readings.begin.first),
      rate_(has_end_ ? between(readings.begin.first, readings.end.first) /
                           between(readings.begin.there, readings.end.there)
                     : rate)
{
}

std::uint64_t MachineClock::to_first(std::uint64_t there) const
{
    if (there == 0)
        return 0;
    const double away = between(readings_.begin.there, there) * rate_;
    const auto begin = static_cast<double>(readings_.begin.first);
    if (begin + away < 1)
        return 1;
    if (begin + away > latest)
        return static_cast<std::uint64_t>(latest);
    return readings_.begin.first + static_cast<std::uint64_t>(std::llround(away));
}

std::uint64_t MachineClock::duration_of(std::uint64_t cycles) const
{
    return static_cast<std::uint64_t>(std::llround(std::min(static_cast<double>(cycles) * rate_, latest)));
}

std::uint64_t MachineClock::doubt_until(std::uint64_t there) const
{
    if (has_end_)
        return std::max(readings_.begin.doubt, readings_.end.doubt);
    const double away = std::abs(between(readings_.begin.there, there)) * rate_;
    return readings_.begin.doubt + static_cast<std::uint64_t>(std::llround(away * unsure_rate)) + 1;
}

} // namespace parley::native
