// SPDX-License-Identifier: MIT
// Measures what it costs a rank to be watched, in each run and on the machine that asks.
#pragma once

#include <cstdint>

namespace parley::native {

// What watching costs a rank, in ps.
struct TraceCost {
    std::uint64_t record; // measured on fresh pages, as a rank's buffer is
    std::uint64_t call;   // to count a call's time, beside its records
};
TraceCost measure_trace_cost(unsigned long clock_hertz);

} // namespace parley::native
