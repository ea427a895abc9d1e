// SPDX-License-Identifier: MIT
// On which machine of a job each of its endpoints lives. The nodes are spread over the machines in runs of
// equal length, but for one; all processes of a node are where it is, the host is on the first machine, and
// each machine has helpers of its own.
#pragma once

#include "messaging/layout.hpp"

namespace parley::jobs {

struct Spread {
    unsigned nodes;
    unsigned pids = 1;
    bool host = false;
    unsigned machines = 1;
    unsigned here = 0; // the number of this machine

    // The job's endpoints, wherever they live.
    constexpr messaging::Layout layout() const { return {nodes, pids, host}; }

    // The nodes of a machine begin with this one, and end before the next machine's.
    constexpr unsigned first_node(unsigned machine) const { return layout().first_node(machine, machines); }
    constexpr unsigned machine_of(unsigned endpoint) const
    {
        if (endpoint >= layout().on_nodes())
            return endpoint < layout().programs() ? 0 : here;
        return layout().part_of(endpoint % nodes, machines);
    }
};

} // namespace parley::jobs
