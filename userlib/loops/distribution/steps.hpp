// SPDX-License-Identifier: MIT
// The one counter of chunks of a loop whose chunks follow from their numbers.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

namespace parley::loops {

class Steps {
public:
    // Answers each number once, in order. There are fewer than 2^64 chunks and takers.
    std::uint64_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }

private:
    alignas(line_bytes) Atomic<std::uint64_t> next_{0};
};

} // namespace parley::loops
