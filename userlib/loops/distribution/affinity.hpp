// SPDX-License-Identifier: MIT
// Affinity scheduling: each thread begins with the same range every time the loop is met, so that it finds
// its data in its cache, and takes the n-th part of what is left of it; one that has none left takes the n-th
// part of what the thread with the most has left (Markatos and LeBlanc, 1994).
#pragma once

#include "userlib/loops/distribution/own_ranges.hpp"

#include <string_view>

namespace parley::loops {

class AffinityDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "affinity";
    static constexpr std::string_view promise =
        "each thread takes its share of what is left of a range of its own, then of the longest range";

    explicit AffinityDistribution(const DistributionParts& parts) : ranges_(parts, 1) { }

    bool next(unsigned number, Cursor& mine, Chunk& chunk) override
    {
        if (ranges_.has_had_last(mine))
            return false;
        const auto share = [this](std::uint32_t rest) {
            return static_cast<std::uint32_t>(divided_up(rest, ranges_.threads()));
        };
        OwnRange::Ends taken{};
        bool found = ranges_.of(number).take_front(share, taken);
        while (!found) {
            OwnRange& longest = the_longest();
            found = longest.take_back(share, taken);
            if (!found && longest.ends().size() == 0 && the_longest().ends().size() == 0)
                return ranges_.take_last(mine, chunk);
        }
        chunk = ranges_.chunk(taken);
        return true;
    }

private:
    OwnRange& the_longest()
    {
        unsigned longest = 0;
        for (unsigned thread = 1; thread < ranges_.threads(); ++thread)
            if (ranges_.of(thread).ends().size() > ranges_.of(longest).ends().size())
                longest = thread;
        return ranges_.of(longest);
    }

    OwnRanges ranges_;
};

} // namespace parley::loops
