// SPDX-License-Identifier: MIT
// The one index from which all threads of a loop take what comes next.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

#include <algorithm>

namespace parley::loops {

class SharedIndex {
public:
    // `chunk` is above 0. Each thread calls take() in vain at most once.
    SharedIndex(std::uint64_t count, std::uint64_t chunk, unsigned threads)
        : count_(count), chunk_(std::min(chunk, std::max<std::uint64_t>(count, 1)))
    {
        std::uint64_t beyond = 0;
        may_overflow_ = __builtin_mul_overflow(chunk_, std::uint64_t{threads} + 1, &beyond) ||
                        __builtin_add_overflow(beyond, count, &beyond);
    }

    // Relaxed: which thread gets what orders nothing between them. What comes before a loop is ordered by how
    // they come to the loop.
    bool take(Chunk& chunk)
    {
        if (may_overflow_)
            return take_carefully(chunk);
        chunk.first = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (chunk.first >= count_)
            return false;
        chunk.end = chunk.first + std::min(chunk_, count_ - chunk.first);
        return true;
    }

    // Takes as many as `size(rest)` says, which is at least 1.
    template <class Size>
    bool take_some(Size size, Chunk& chunk)
    {
        chunk.first = next_.load(std::memory_order_relaxed);
        do {
            if (chunk.first >= count_)
                return false;
            const std::uint64_t rest = count_ - chunk.first;
            chunk.end = chunk.first + std::min(rest, std::max<std::uint64_t>(size(rest), 1));
        } while (!next_.compare_exchange_weak(chunk.first, chunk.end, std::memory_order_relaxed,
                                              std::memory_order_relaxed));
        return true;
    }

private:
    bool take_carefully(Chunk& chunk)
    {
        return take_some([this](std::uint64_t) { return chunk_; }, chunk);
    }

    std::uint64_t count_, chunk_;
    bool may_overflow_ = false;
    alignas(line_bytes) Atomic<std::uint64_t> next_{0};
};

} // namespace parley::loops
