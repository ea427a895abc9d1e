// SPDX-License-Identifier: MIT
// Factoring: in each round half of what is left is divided into equal chunks, one for each thread (Hummel,
// Schonberg and Flynn, 1992). So which iterations the n-th chunk has follows from n.
#pragma once

#include "userlib/loops/distribution/steps.hpp"

#include <algorithm>
#include <string_view>

namespace parley::loops {

class FactoringDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "factoring";
    static constexpr std::string_view promise =
        "each round hands out half of what is left in equal chunks; which one is next, a global counter says";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"least", "how many iterations are handed out at a time at least", units::number, 1,
         std::numeric_limits<std::int64_t>::max(), 1},
    };

    FactoringDistribution(const DistributionParts& parts, const LeafValues& values)
        : count_(parts.count), least_(values[0]), threads_(parts.threads)
    {
    }

    // The cursor holds a round that the thread has been in, and how many iterations are handed out before
    // that round.
    bool next(unsigned, Cursor& mine, Chunk& chunk) override
    {
        const std::uint64_t step = steps_.take(), round = step / threads_, place = step % threads_;
        for (; mine.at < round && mine.rest < count_; ++mine.at)
            mine.rest += std::min(count_ - mine.rest, of_all(mine.rest));
        if (mine.rest >= count_)
            return false;
        const std::uint64_t size = of_one(mine.rest);
        std::uint64_t before = 0;
        if (__builtin_mul_overflow(place, size, &before) || before >= count_ - mine.rest)
            return false;
        chunk.first = mine.rest + before;
        chunk.end = chunk.first + std::min(size, count_ - chunk.first);
        return true;
    }

private:
    // How many iterations one chunk has in the round before which so many are handed out.
    std::uint64_t of_one(std::uint64_t before) const
    {
        return std::max(least_, divided_up(count_ - before, 2 * std::uint64_t{threads_}));
    }
    std::uint64_t of_all(std::uint64_t before) const
    {
        std::uint64_t all = 0;
        return __builtin_mul_overflow(of_one(before), std::uint64_t{threads_}, &all)
                   ? std::numeric_limits<std::uint64_t>::max()
                   : all;
    }

    std::uint64_t count_, least_;
    unsigned threads_;
    Steps steps_;
};

} // namespace parley::loops
