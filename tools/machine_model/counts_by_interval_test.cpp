// SPDX-License-Identifier: MIT
#include "tools/machine_model/counts_by_interval.hpp"

#include "testing/catch.hpp"

#include <random>

using namespace parley::machine_model;

namespace {

using Counts = CountsByInterval::Counts;
using Intervals = std::vector<CountsByInterval::Interval>;

constexpr std::size_t any = 1000;

// Access number i of this processor: another count each, and all of different amounts.
void count(MemoryCounts& counts, unsigned i)
{
    counts.read_misses += i % 2;
    counts.write_misses += i % 3 == 0 ? 1 : 0;
    counts.fetch_misses += i % 5 == 0 ? 2 : 0;
    counts.bus_transfers += i % 2 + (i % 3 == 0 ? 1 : 0);
    counts.bus_waiting += 10 * i;
}

Counts all_of(const CountsByInterval& found, unsigned processor)
{
    Counts sum;
    for (const CountsByInterval::Interval& one : found.intervals(processor))
        sum += one.counts;
    return sum;
}

// Two processors count at random times, and say so as the plugin does.
CountsByInterval counted(Picoseconds length, std::size_t most)
{
    std::mt19937 random{7};
    CountsByInterval found{2, length, most};
    MemoryCounts counts[2];
    Picoseconds now[2] = {};
    for (unsigned i = 1; i < 3000; ++i) {
        const unsigned processor = random() % 2;
        now[processor] += random() % 100 == 0 ? 70'000 : random() % 90;
        if (found.is_over(processor, now[processor]))
            found.end(processor, now[processor], counts[processor]);
        count(counts[processor], i);
    }
    for (unsigned processor : {0U, 1U})
        found.end(processor, now[processor], counts[processor]);
    return found;
}

} // namespace

TEST_CASE("what is counted belongs to the interval in which it began")
{
    CountsByInterval found{1, 100, any};
    MemoryCounts counts;
    counts.read_misses = 3;
    counts.bus_waiting = 40;
    CHECK_FALSE(found.is_over(0, 99));
    CHECK(found.is_over(0, 100));
    found.end(0, 100, counts);
    counts.write_misses = 1;
    counts.bus_transfers = 2;
    CHECK_FALSE(found.is_over(0, 199));
    CHECK(found.is_over(0, 230));
    found.end(0, 230, counts);
    CHECK(found.intervals(0) == Intervals{{0, {3, 0, 0, 0, 40}}, {1, {0, 1, 0, 2, 0}}});
}

TEST_CASE("what a processor has counted before it slept is in the interval in which it went to sleep")
{
    CountsByInterval found{2, 100, any};
    MemoryCounts counts;
    counts.fetch_misses = 5;
    found.end(1, 7'050, counts);
    CHECK_FALSE(found.is_over(1, 7'099));
    counts.fetch_misses = 6;
    found.end(1, 7'100, counts);
    CHECK(found.intervals(1) == Intervals{{0, {0, 0, 5, 0, 0}}, {70, {0, 0, 1, 0, 0}}});
    CHECK(found.intervals(0).empty());
}

TEST_CASE("an interval in which nothing was counted is not kept")
{
    CountsByInterval found{1, 100, any};
    MemoryCounts counts;
    for (Picoseconds now = 100; now < 1000; now += 100)
        found.end(0, now, counts);
    CHECK(found.intervals(0).empty());
}

TEST_CASE("all intervals are together what was counted, whatever their length")
{
    const Counts all = all_of(counted(never / 4, any), 1);
    CHECK(all.bus_waiting > 10'000);
    for (const Picoseconds length : {1, 10, 333, 4096, 1'000'000})
        CHECK(all_of(counted(length, any), 1) == all);
}

TEST_CASE("of more intervals than are kept all become twice as long, as if they had been from the beginning")
{
    const CountsByInterval found = counted(10, 40);
    CHECK(found.length() > 10);
    CHECK(found.length() % 10 == 0);
    const CountsByInterval longer = counted(found.length(), any);
    CHECK(longer.length() == found.length());
    for (unsigned processor : {0U, 1U}) {
        CHECK(found.intervals(processor).size() <= 40);
        CHECK(found.intervals(processor) == longer.intervals(processor));
    }
    // Half as long would have been too many.
    const CountsByInterval shorter = counted(found.length() / 2, any);
    CHECK((shorter.intervals(0).size() > 40 || shorter.intervals(1).size() > 40));
}

TEST_CASE("one interval is enough to keep all")
{
    const CountsByInterval found = counted(1, 1);
    for (unsigned processor : {0U, 1U}) {
        CHECK(found.intervals(processor).size() == 1);
        CHECK(all_of(found, processor) == all_of(counted(never / 4, any), processor));
    }
}
