// SPDX-License-Identifier: MIT
// Cedar's flat XDOALL: every thread fetches iterations for itself, one at a time, from one global index.
#pragma once

#include "userlib/loops/distribution/steps.hpp"

#include <string_view>

namespace parley::loops {

class XdoallDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "xdoall";
    static constexpr std::string_view promise =
        "each thread takes one iteration at a time from a global index";
    static constexpr bool keeps_order = true;

    explicit XdoallDistribution(const DistributionParts& parts) : count_(parts.count) { }

    bool next(unsigned, Cursor&, Chunk& chunk) override
    {
        const std::uint64_t iteration = index_.take();
        if (iteration >= count_) [[unlikely]]
            return false;
        chunk = {iteration, iteration + 1};
        return true;
    }

private:
    const std::uint64_t count_;
    Steps index_;
};

} // namespace parley::loops
