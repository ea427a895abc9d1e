// SPDX-License-Identifier: MIT
// Finds whom a send is for: nodes and pids as programs name them, and the endpoints that they stand for. The
// endpoint of (node, pid) is pid * nodes + node, the host's follows those of the nodes. A program may choose
// another pid for itself; the processes of all nodes that belong together form a row, and a row has one such
// pid at most. Any process calls this at any time; only rename() writes.
#pragma once

#include "messaging/message/envelope.hpp"
#include "messaging/pid_names.hpp"
#include "messaging/reply.hpp"

namespace parley::messaging {

// Where a send goes: `count` endpoints of one pid, from `first` up to `last`, without `skipped`.
struct Destinations {
    unsigned first;
    unsigned last;
    unsigned skipped;
    unsigned count;
};

class Directory {
public:
    Directory(unsigned nodes, unsigned pids, bool host)
        : nodes_(nodes), on_nodes_(nodes * pids), processes_(on_nodes_ + (host ? 1 : 0))
    {
    }

    // Fixed when the job is made, and readable by anybody.
    unsigned nodes() const { return nodes_; }
    unsigned processes() const { return processes_; } // on the nodes, and then the host's

    // The name that an endpoint's process has at first. A process that is on no node has the number after the
    // last node.
    ProcessName name_of(unsigned endpoint) const
    {
        if (endpoint < on_nodes_)
            return {static_cast<std::int32_t>(endpoint % nodes_),
                    static_cast<std::int32_t>(endpoint / nodes_)};
        return {static_cast<std::int32_t>(nodes_), 0};
    }

    // Finds one process, or with node -1 those of all nodes but the sender's own. Errors: bad_node,
    // bad_process.
    Result<Destinations> find(const SendArguments& arguments, unsigned sender) const
    {
        if (arguments.node == -1)
            return others_of(sender, TRY(first_of(parley_address_pid(arguments.address))));
        const unsigned to = TRY(find_one(arguments));
        return Destinations{to, to + 1, to + 1, 1};
    }

    // The processes of all nodes but the sender's own, `first` being that of node 0.
    Destinations others_of(unsigned sender, unsigned first = 0) const
    {
        const bool from_host = sender >= on_nodes_; // then nobody is left out
        return {first, first + nodes_, from_host ? first + nodes_ : first + sender % nodes_,
                from_host ? nodes_ : nodes_ - 1};
    }

    // Sets the pid that the process of this endpoint is known as from now on. Its row's number still finds
    // it. Errors: bad_process, pid_in_use.
    Result<void> rename(unsigned endpoint, std::int32_t pid)
    {
        if (pid < 0)
            return std::unexpected(Error::bad_process);
        if (endpoint < on_nodes_)
            TRY_VOID(names_.set(endpoint / nodes_, pid, on_nodes_ / nodes_));
        return {};
    }

private:
    // The endpoint of the row with that pid on node 0. Errors: bad_process.
    Result<unsigned> first_of(std::int32_t pid) const
    {
        const std::uint64_t first = std::uint64_t{static_cast<std::uint32_t>(pid)} * nodes_;
        if (first >= on_nodes_)
            return names_.find(pid, nodes_);
        return static_cast<unsigned>(first);
    }

    Result<unsigned> find_one(const SendArguments& arguments) const
    {
        if (static_cast<unsigned long>(arguments.node) < nodes_)
            return TRY(first_of(parley_address_pid(arguments.address))) +
                   static_cast<unsigned>(arguments.node);
        // The host has one process, which any pid finds.
        if (arguments.node != static_cast<long>(nodes_) || processes_ == on_nodes_)
            return std::unexpected(Error::bad_node);
        return on_nodes_;
    }

    const unsigned nodes_;
    const unsigned on_nodes_;
    const unsigned processes_;
    PidNames names_;
};

} // namespace parley::messaging
