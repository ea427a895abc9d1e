// SPDX-License-Identifier: MIT
// Which of a job's processes live on this machine: a run of its nodes, with all processes of each, and the
// host or not. Whoever starts the job says it to the NetworkTransport in one word (SystemOptions::setting).
#pragma once

#include "messaging/layout.hpp"

#include <cstdint>

namespace parley::messaging {

struct Nearby {
    unsigned first_node;
    unsigned nodes; // 0: all live here, the host too
    bool host;

    constexpr std::uint64_t word() const
    {
        return first_node | std::uint64_t{nodes} << 16 | std::uint64_t{host ? 1u : 0u} << 32;
    }
    static constexpr Nearby of(std::uint64_t word)
    {
        return {static_cast<unsigned>(word & 0xffff), static_cast<unsigned>(word >> 16 & 0xffff),
                (word >> 32 & 1) != 0};
    }

    // Every machine has helpers of its own.
    constexpr bool has(unsigned endpoint, const Layout& layout) const
    {
        if (nodes == 0 || endpoint >= layout.programs())
            return true;
        if (endpoint >= layout.on_nodes())
            return host;
        return endpoint % layout.nodes - first_node < nodes;
    }
};

} // namespace parley::messaging
