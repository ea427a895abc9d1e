// SPDX-License-Identifier: MIT
// Each thread begins with an equal range and takes chunks of it; one that has none left takes half of
// another's rest, and goes on with that as its own.
#pragma once

#include "userlib/loops/distribution/own_ranges.hpp"

#include <string_view>

namespace parley::loops {

class StealingDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "stealing";
    static constexpr std::string_view promise =
        "each thread takes chunks of a range of its own, and then half of what another has left";
    static constexpr LeafArgument arguments[] = {chunk_argument};

    StealingDistribution(const DistributionParts& parts, const LeafValues& values) : ranges_(parts, values[0])
    {
    }

    // Only a range's own thread makes it longer, and never while it has some, so a thread that has found all
    // others empty misses at most what those have taken for themselves.
    bool next(unsigned number, Cursor& mine, Chunk& chunk) override
    {
        if (ranges_.has_had_last(mine))
            return false;
        const auto one = [](std::uint32_t) { return std::uint32_t{1}; };
        const auto half = [](std::uint32_t rest) { return (rest + 1) / 2; };
        OwnRange::Ends taken{};
        if (ranges_.of(number).take_front(one, taken)) {
            chunk = ranges_.chunk(taken);
            return true;
        }
        for (unsigned other = number + 1; other < number + ranges_.threads(); ++other)
            if (ranges_.of(other % ranges_.threads()).take_back(half, taken)) {
                chunk = ranges_.chunk({taken.first, taken.first + 1});
                ranges_.of(number).set({taken.first + 1, taken.end});
                return true;
            }
        return ranges_.take_last(mine, chunk);
    }

private:
    OwnRanges ranges_;
};

} // namespace parley::loops
