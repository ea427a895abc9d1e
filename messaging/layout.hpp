// SPDX-License-Identifier: MIT
// Which endpoints a job has: those of a row of all nodes for each pid, then the host's, then those of its
// Transport's helpers.
#pragma once

namespace parley::messaging {

struct Layout {
    unsigned nodes;
    unsigned pids = 1;
    bool host = false;

    // On the nodes, and then the host's; helpers follow.
    constexpr unsigned on_nodes() const { return nodes * pids; }
    constexpr unsigned programs() const { return on_nodes() + (host ? 1 : 0); }
    constexpr unsigned first_helper() const { return programs(); }
};

} // namespace parley::messaging
