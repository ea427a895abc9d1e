// SPDX-License-Identifier: MIT
// Which thread has which iterations follows from its number: nobody writes what another reads.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

#include <algorithm>
#include <string_view>

namespace parley::loops {

class StaticDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "static";
    static constexpr std::string_view promise =
        "each thread has one block of the iterations, or every n-th chunk, by its number";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"chunk", "how many iterations a thread has at a time, in turn; 0: one block each", units::number, 0,
         std::numeric_limits<std::int64_t>::max(), 0},
    };

    StaticDistribution(const DistributionParts& parts, const LeafValues& values)
        : count_(parts.count), chunk_(values[0]), threads_(parts.threads)
    {
    }

    // The cursor holds how many chunks the thread has had.
    bool next(unsigned number, Cursor& mine, Chunk& chunk) override
    {
        return chunk_ == 0 ? block(number, mine, chunk) : every_nth(number, mine, chunk);
    }

private:
    // The first threads have one more each, as many as the division leaves over.
    bool block(unsigned number, Cursor& mine, Chunk& chunk)
    {
        const std::uint64_t each = count_ / threads_, more = count_ % threads_;
        chunk.first = each * number + std::min<std::uint64_t>(number, more);
        chunk.end = chunk.first + each + (number < more);
        return mine.at++ == 0 && chunk.first != chunk.end;
    }
    bool every_nth(unsigned number, Cursor& mine, Chunk& chunk)
    {
        std::uint64_t which = 0;
        if (__builtin_mul_overflow(mine.at, std::uint64_t{threads_}, &which) ||
            __builtin_add_overflow(which, std::uint64_t{number}, &which) ||
            __builtin_mul_overflow(which, chunk_, &chunk.first) || chunk.first >= count_)
            return false;
        chunk.end = chunk.first + std::min(chunk_, count_ - chunk.first);
        ++mine.at;
        return true;
    }

    std::uint64_t count_, chunk_;
    unsigned threads_;
};

} // namespace parley::loops
