// SPDX-License-Identifier: MIT
// What processors' memory has counted, by intervals of simulated time.
#pragma once

#include "tools/machine_model/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::machine_model {

// For each processor, intervals of one length that follow each other from time 0 on. The caller says when a
// processor has left one, and what it has counted so far; all that is new in that belongs to the interval
// that it has left. Only intervals in which something was counted are kept, and so many of each processor at
// most: where there would be more, all become twice as long, and each two that are one then are added up.
class CountsByInterval {
public:
    struct Counts {
        std::uint64_t read_misses = 0;
        std::uint64_t write_misses = 0;
        std::uint64_t fetch_misses = 0;
        std::uint64_t bus_transfers = 0;
        Picoseconds bus_waiting = 0;

        Counts& operator+=(const Counts& other);
        bool operator==(const Counts&) const = default;
    };
    struct Interval {
        std::uint64_t number; // how many lie before it
        Counts counts;

        bool operator==(const Interval&) const = default;
    };

    // `length` and `most` are at least 1.
    CountsByInterval(unsigned processors, Picoseconds length, std::size_t most);

    // Whether that processor's present interval ends at `now` or before.
    bool is_over(unsigned processor, Picoseconds now) const { return now >= processors_[processor].end; }
    // All that this processor has counted `so_far`, and was not in an interval yet, was in its present one;
    // the one in which `now` lies becomes the present one. `now` is never less than before.
    void end(unsigned processor, Picoseconds now, const MemoryCounts& so_far);

    Picoseconds length() const { return length_; }
    // In the order of time, without the present one. All together are what was counted until the last end().
    const std::vector<Interval>& intervals(unsigned processor) const { return processors_[processor].kept; }

private:
    struct Processor {
        std::uint64_t present = 0; // its number
        Picoseconds end = 0;       // when it ends
        Counts before;             // all intervals' before it
        std::vector<Interval> kept;
    };

    void begin(Processor& processor, std::uint64_t number);
    void add(Processor& processor, const Interval& interval);
    void double_length();

    Picoseconds length_;
    std::size_t most_;
    std::vector<Processor> processors_;
};

} // namespace parley::machine_model
