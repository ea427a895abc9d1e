// SPDX-License-Identifier: MIT
// What was written down on one machine of a watched job: for each of its processes the records and where its
// time went, and what its nxrun saw. It crosses to the first machine's nxrun as bytes, and its times are
// converted there to that machine's clock.
#pragma once

#include "native/nxrun/machine_clock.hpp"
#include "native/nxrun/trace_area.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace parley::native {

class TracePart {
public:
    struct Source {
        RankTime time; // and whose it is
        std::uint64_t lost;
        std::span<parley_trace_record> records;
    };

    // The part of this machine, when all its processes have ended. The records stay in the area.
    TracePart(const TraceArea& area, unsigned long clock_hertz);
    // The part of another machine, as it has packed it. None: the bytes are not such a part.
    static std::optional<TracePart> unpacked(std::vector<std::byte> bytes);
    std::vector<std::byte> packed() const;

    // From now on all times are the first machine's, and processors are numbered from `processor` on: each
    // machine counts its own from 0.
    void convert(const MachineClock& clock, unsigned processor);

    const std::vector<Source>& sources() const { return sources_; }
    // The beginnings and ends of its processes.
    std::span<const parley_trace_record> seen() const { return seen_; }
    std::uint64_t clock_hertz() const { return clock_hertz_; }
    // How many the machine has, usable or not: what numbers there may be.
    unsigned processors() const { return processors_; }
    // The last time in it, before convert().
    std::uint64_t last_time() const;

private:
    TracePart() = default;

    std::uint64_t clock_hertz_ = 0;
    unsigned processors_ = 0;
    std::vector<parley_trace_record> seen_;
    std::vector<Source> sources_;
    std::vector<std::byte> bytes_; // where the records lie, unless in an area
};

} // namespace parley::native
