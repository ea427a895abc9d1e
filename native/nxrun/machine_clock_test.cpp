// SPDX-License-Identifier: MIT
#include "native/nxrun/machine_clock.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

namespace {

// The other clock is 4,000,000,000 cycles behind, and in a day at 3 GHz it loses a hundred-thousandth.
constexpr std::uint64_t day = 259'200'000'000'000, lost = day / 100'000;
constexpr ClockReadings slow{.begin = {10'000'000'000, 6'000'000'000, 900},
                             .end = {10'000'000'000 + day, 6'000'000'000 + day - lost, 1500}};

} // namespace

TEST_CASE("a clock's offset and drift are taken out between two readings")
{
    const MachineClock clock(slow, 7.0);
    CHECK(clock.to_first(slow.begin.there) == slow.begin.first);
    CHECK(clock.to_first(slow.end.there) == slow.end.first);
    // In the middle it has lost half of all.
    CHECK(clock.to_first(6'000'000'000 + (day - lost) / 2) == 10'000'000'000 + day / 2);
    CHECK(clock.to_first(slow.begin.there + 1000) == slow.begin.first + 1000);
    CHECK(clock.to_first(slow.begin.there - 1000) == slow.begin.first - 1000);
    CHECK(clock.duration_of(day - lost) == day);
    CHECK(clock.doubt_until(slow.end.there) == 1500);
}

TEST_CASE("a clock may be ahead of the first one's, and counters have all their 64 bits")
{
    constexpr std::uint64_t far = 0x4000'0000'0000'0001;
    const MachineClock clock({{1'000'000, far, 10}, {3'000'001, far + 4'000'002, 20}}, 1.0);
    CHECK(clock.to_first(far) == 1'000'000);
    CHECK(clock.to_first(far + 2'000'001) == 2'000'001); // half as fast, and rounded
    CHECK(clock.to_first(far + 4'000'002) == 3'000'001);
    CHECK(clock.doubt_until(far) == 20);
}

TEST_CASE("a clock that was read once goes by its measured frequency, which is less and less sure")
{
    const MachineClock clock({{5000, 1000, 30}, {}}, 2.0);
    CHECK(clock.to_first(1000) == 5000);
    CHECK(clock.to_first(2'001'000) == 4'005'000);
    CHECK(clock.doubt_until(1000) == 31);
    CHECK(clock.doubt_until(2'001'000) == 30 + 400 + 1);
    // Nor is one of use that went backwards.
    const MachineClock backwards({{5000, 1000, 30}, {6000, 900, 30}}, 2.0);
    CHECK(backwards.to_first(2000) == 7000);
}

TEST_CASE("what is no time stays none, and what a program has scribbled stays a time")
{
    const MachineClock clock(slow, 1.0);
    CHECK(clock.to_first(0) == 0);
    CHECK(clock.to_first(1) == 3'999'940'000); // at the other's rate
    CHECK(MachineClock({{5000, 9'000'000, 1}, {}}, 1.0).to_first(1) == 1);
    CHECK(MachineClock({{5000, 9'000'000, 1}, {}}, 1.0).to_first(0x7fff'ffff'ffff'ffff) ==
          9'200'000'000'000'000'000);
}
