// SPDX-License-Identifier: MIT
// Which endpoints a job has, and on which machine each lives. The nodes are spread over the machines in runs
// of equal length, but for one; all processes of a node are where it is, and the host is on the first. Every
// machine has the endpoints of all: those of others are stand-ins, into whose mailboxes nobody puts.
#pragma once

#include <cstddef>

namespace parley::messaging {

struct Layout {
    unsigned nodes;
    unsigned pids = 1;
    bool host = false;
    unsigned machines = 1;
    unsigned here = 0; // the number of this machine

    // On the nodes, and then the host's; delivery processes follow.
    constexpr unsigned programs() const { return nodes * pids + (host ? 1 : 0); }
    constexpr unsigned first_helper() const { return programs(); }

    // The nodes of a machine begin with this one, and end before the next machine's.
    constexpr unsigned first_node(unsigned machine) const
    {
        return static_cast<unsigned>(std::size_t{machine} * nodes / machines);
    }
    constexpr unsigned machine_of_node(unsigned node) const
    {
        return static_cast<unsigned>(((std::size_t{node} + 1) * machines - 1) / nodes);
    }
    constexpr unsigned machine_of(unsigned endpoint) const
    {
        if (endpoint < nodes * pids)
            return machine_of_node(endpoint % nodes);
        return endpoint < programs() ? 0 : here;
    }
    constexpr bool is_here(unsigned endpoint) const { return machine_of(endpoint) == here; }
};

} // namespace parley::messaging
