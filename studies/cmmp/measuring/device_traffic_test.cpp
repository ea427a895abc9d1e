// SPDX-License-Identifier: MIT
// How often requests come, and how long they are.
#include "studies/cmmp/measuring/device_traffic.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <cmath>

namespace parley::cmmp {

TEST_CASE("requests come as often as asked for, and are as long", "[device]")
{
    constexpr unsigned ticks = 20'000;
    DeviceTraffic traffic(10, 45, 3, 5);
    unsigned requests = 0;
    std::uint64_t shortest = UINT64_MAX, longest = 0;
    for (unsigned i = 0; i < ticks; ++i) {
        if (const std::uint64_t service = traffic.at_tick(); service != 0) {
            ++requests;
            shortest = std::min(shortest, service);
            longest = std::max(longest, service);
        }
    }
    CHECK(shortest == 3);
    CHECK(longest == 5);
    // Four deviations of that many draws.
    CHECK(std::abs(requests - ticks * 10.0 / 45) < 4 * std::sqrt(ticks * 10.0 / 45 * 35 / 45));
}

TEST_CASE("one each tick where that is how often, and none where there is no device", "[device]")
{
    DeviceTraffic each(10, 10, 7, 7), none;
    for (unsigned i = 0; i < 100; ++i) {
        CHECK(each.at_tick() == 7);
        CHECK(none.at_tick() == 0);
    }
}

} // namespace parley::cmmp
