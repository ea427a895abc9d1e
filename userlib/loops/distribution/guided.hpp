// SPDX-License-Identifier: MIT
// Guided self-scheduling: a thread takes the n-th part of what is left (Polychronopoulos and Kuck, 1987).
#pragma once

#include "userlib/loops/distribution/shared_index.hpp"

#include <algorithm>
#include <string_view>

namespace parley::loops {

class GuidedDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "guided";
    static constexpr std::string_view promise =
        "each thread takes its share of what is left from a global index, so chunks grow smaller";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"least", "how many iterations are handed out at a time at least", units::number, 1,
         std::numeric_limits<std::int64_t>::max(), 1},
    };

    GuidedDistribution(const DistributionParts& parts, const LeafValues& values)
        : index_(parts.count, 1, parts.threads), least_(values[0]), threads_(parts.threads)
    {
    }

    bool next(unsigned, Cursor&, Chunk& chunk) override
    {
        return index_.take_some(
            [this](std::uint64_t rest) { return std::max(least_, divided_up(rest, threads_)); }, chunk);
    }

private:
    SharedIndex index_;
    std::uint64_t least_;
    unsigned threads_;
};

} // namespace parley::loops
