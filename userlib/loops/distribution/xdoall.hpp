// SPDX-License-Identifier: MIT
// Cedar's flat XDOALL: every thread fetches iterations for itself, one at a time, from one global index.
#pragma once

#include "userlib/loops/distribution/shared_index.hpp"

#include <string_view>

namespace parley::loops {

class XdoallDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "xdoall";
    static constexpr std::string_view promise =
        "each thread takes one iteration at a time from a global index";

    explicit XdoallDistribution(const DistributionParts& parts) : index_(parts.count, 1, parts.threads) { }

    bool next(unsigned, Cursor&, Chunk& chunk) override { return index_.take(chunk); }

private:
    SharedIndex index_;
};

} // namespace parley::loops
