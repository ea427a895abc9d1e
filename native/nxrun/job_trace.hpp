// SPDX-License-Identifier: MIT
// Holds all that was written down in a watched job, by the first machine's clock: one part for each machine
// that could still be asked.
#pragma once

#include "native/network/clock_reading.hpp"
#include "native/nxrun/trace_part.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace parley::native {

class JobTrace {
public:
    // Begins with the part of the first machine, whose clock began at `clock_start`.
    JobTrace(const TraceArea& area, unsigned long clock_hertz, unsigned long clock_start);

    // The next machine's part, as it has packed it, and the readings of its clock. Empty bytes, or no
    // reading: its records are missing.
    void add(std::vector<std::byte> packed, const ClockReadings& readings);

    const std::vector<TracePart>& parts() const { return parts_; }
    unsigned long clock_hertz() const { return clock_hertz_; }
    unsigned long clock_start() const { return clock_start_; }
    unsigned machines() const { return machines_; }
    // Where each process's time went, in the order of endpoints.
    std::vector<RankTime> times() const;

    // By how much the times of two machines may be wrong beside each other. 0: there is one machine.
    unsigned long doubt_nanoseconds() const;
    // The machines whose records are missing.
    const std::vector<unsigned>& missing() const { return missing_; }
    // A sentence about these machines; none: no records are missing.
    std::optional<std::string> about_missing() const;

private:
    std::vector<TracePart> parts_;
    const unsigned long clock_hertz_;
    const unsigned long clock_start_;
    unsigned machines_ = 1;
    unsigned processors_;                        // of the machines before
    std::uint64_t doubt_ = 0, second_doubt_ = 0; // the largest two, in cycles
    std::vector<unsigned> missing_;
};

} // namespace parley::native
