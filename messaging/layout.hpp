// SPDX-License-Identifier: MIT
// Which endpoints a job has: those of a row of all nodes for each pid, then the host's, then those of its
// Transport's helpers.
#pragma once

#include <cstddef>

namespace parley::messaging {

struct Layout {
    unsigned nodes;
    unsigned pids = 1;
    bool host = false;

    // On the nodes, and then the host's; helpers follow.
    constexpr unsigned on_nodes() const { return nodes * pids; }
    constexpr unsigned programs() const { return on_nodes() + (host ? 1 : 0); }
    constexpr unsigned first_helper() const { return programs(); }

    // Whether nodes of several machines meet: each comes to the same meetings in the same order, which holds
    // where a node has one process, and no program follows another in its place, as a host could load one.
    constexpr bool machines_meet() const { return pids == 1 && !host; }

    // The nodes are divided into parts, in runs of equal length but for one: the part of a node, and the node
    // that a part begins with.
    constexpr unsigned part_of(unsigned node, unsigned parts) const
    {
        return static_cast<unsigned>(((std::size_t{node} + 1) * parts - 1) / nodes);
    }
    constexpr unsigned first_node(unsigned part, unsigned parts) const
    {
        return static_cast<unsigned>(std::size_t{part} * nodes / parts);
    }
};

} // namespace parley::messaging
