// SPDX-License-Identifier: MIT
// Iterations are taken from one global index, so many at a time: OpenMP's schedule(monotonic: dynamic, n).
#pragma once

#include "userlib/loops/distribution/shared_index.hpp"

#include <string_view>

namespace parley::loops {

class ChunkDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "chunk";
    static constexpr std::string_view promise =
        "each thread takes so many iterations at a time from a global index";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {chunk_argument};

    ChunkDistribution(const DistributionParts& parts, const LeafValues& values)
        : index_(parts.count, values[0], parts.threads)
    {
    }

    bool next(unsigned, Cursor&, Chunk& chunk) override { return index_.take(chunk); }

private:
    SharedIndex index_;
};

} // namespace parley::loops
