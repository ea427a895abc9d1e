// SPDX-License-Identifier: MIT
// Where the ranks of a watched job write what they see: a buffer for each endpoint
// (base/trace_buffer.hpp), in the arena behind the part that programs know. Also when each of them
// began and ended, which nxrun sees itself. A rank is a program like any other: what its buffer
// says of itself is believed only as far as the buffer's memory goes.
#pragma once

#include "base/trace_buffer.hpp"
#include "interface/start_info.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/resource.h>
#include <vector>

namespace parley::native {

// Where the time of a process went, in cycles of the time-stamp counter: the table of --profile.
struct RankTime {
    unsigned endpoint = 0;
    std::uint64_t life = 0;    // of all programs that its place has had
    std::uint64_t running = 0; // of it, on a processor
    TimeUse use;
};

class TraceArea {
public:
    // `endpoints`: 0 in a job that nobody watches.
    TraceArea(unsigned endpoints, std::size_t records_each);

    std::size_t bytes() const { return endpoints_.size() * bytes_each_; }
    // Sets where it lies in all processes of the job. The memory is zero.
    void lie_at(std::byte* memory) { memory_ = memory; }
    void describe(parley_start& start) const;

    // Notes that a program begins in the place, or has ended after it has used so much. An end without a
    // beginning is not noted, nor is what has no endpoint.
    void begun(unsigned endpoint);
    void ended(unsigned endpoint, const rusage& used, unsigned long clock_hertz);

    // The times of all endpoints whose programs have begun; all have ended.
    std::vector<RankTime> times() const;

    unsigned endpoints() const { return static_cast<unsigned>(endpoints_.size()); }
    std::span<parley_trace_record> records(unsigned endpoint) const;
    // How many records had no room.
    std::uint64_t lost(unsigned endpoint) const;
    // What nxrun saw: the beginnings and ends.
    const std::vector<parley_trace_record>& own_records() const { return own_records_; }

private:
    struct Endpoint {
        std::uint64_t began = 0; // the program that runs; 0: none does
        std::uint64_t life = 0;
        std::uint64_t running = 0;
    };

    TraceBuffer& buffer(unsigned endpoint) const;
    void note(TraceEvent event, unsigned endpoint, std::uint64_t now);

    std::size_t bytes_each_;
    std::vector<Endpoint> endpoints_;
    std::byte* memory_ = nullptr;
    std::vector<parley_trace_record> own_records_;
};

} // namespace parley::native
