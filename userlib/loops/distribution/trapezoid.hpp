// SPDX-License-Identifier: MIT
// Trapezoid self-scheduling: chunks grow smaller by the same number each time, from half of an equal share to
// the least (Tzen and Ni, 1993). So which iterations the n-th chunk has follows from n, and a thread takes a
// chunk by one addition to a counter.
#pragma once

#include "userlib/loops/distribution/steps.hpp"

#include <algorithm>
#include <string_view>

namespace parley::loops {

class TrapezoidDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "trapezoid";
    static constexpr std::string_view promise =
        "chunks grow smaller by the same number each time; which one is next, a global counter says";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"least", "how many iterations the last chunk has", units::number, 1,
         std::numeric_limits<std::int64_t>::max(), 1},
    };

    // Of f, f - d, f - 2d, ... at least l there are n = 2 * count / (f + l) chunks, so d = (f - l) / (n - 1).
    TrapezoidDistribution(const DistributionParts& parts, const LeafValues& values) : count_(parts.count)
    {
        first_ = std::max<std::uint64_t>(count_ / (2 * std::uint64_t{parts.threads}), 1);
        least_ = std::min(values[0], first_);
        const std::uint64_t chunks =
            std::max<std::uint64_t>(divided_up(count_, (first_ + least_) / 2 + 1), 2);
        less_ = (first_ - least_) / (chunks - 1);
        falling_ = less_ == 0 ? 0 : (first_ - least_) / less_;
    }

    bool next(unsigned, Cursor&, Chunk& chunk) override
    {
        const std::uint64_t step = steps_.take();
        const unsigned __int128 first = before(step);
        if (first >= count_)
            return false;
        chunk.first = static_cast<std::uint64_t>(first);
        chunk.end = static_cast<std::uint64_t>(std::min<unsigned __int128>(before(step + 1), count_));
        return true;
    }

private:
    // How many iterations are in so many chunks. From `falling_` on all have as many as that one.
    unsigned __int128 before(std::uint64_t chunks) const
    {
        const std::uint64_t fall = std::min(chunks, falling_);
        const unsigned __int128 fallen =
            static_cast<unsigned __int128>(fall) * first_ -
            static_cast<unsigned __int128>(fall) * (fall == 0 ? 0 : fall - 1) / 2 * less_;
        return fallen + static_cast<unsigned __int128>(chunks - fall) * (first_ - falling_ * less_);
    }

    std::uint64_t count_, first_ = 1, least_ = 1, less_ = 0, falling_ = 0;
    Steps steps_;
};

} // namespace parley::loops
