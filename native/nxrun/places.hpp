// SPDX-License-Identifier: MIT
// The places of a job, by endpoint: first a row of all nodes for each pid, then the host's, then the
// helpers'; and behind all endpoints the policy processes'.
#pragma once

#include "jobs/roster.hpp"
#include "jobs/spread.hpp"
#include "native/nxrun/place.hpp"

#include <deque>
#include <memory>

namespace parley::native {

using jobs::Spread;

class Places {
public:
    // All places are empty. `helpers`: how many this machine has that have endpoints: delivery processes, or
    // the one that has the network.
    Places(const Spread& layout, unsigned helpers, unsigned policy_processes = 0);

    Place& operator[](std::size_t endpoint) { return places_[endpoint]; }
    const Place& operator[](std::size_t endpoint) const { return places_[endpoint]; }
    std::size_t size() const { return places_.size(); }
    unsigned endpoints() const { return endpoints_; }
    Place& back() { return places_.back(); }
    auto begin() { return places_.begin(); }
    auto end() { return places_.end(); }
    auto begin() const { return places_.begin(); }
    auto end() const { return places_.end(); }

    // Says which programs are there: on the first machine those of all machines, on any other its own.
    jobs::Roster& roster() { return roster_; }
    const jobs::Roster& roster() const { return roster_; }

    // How many places of this machine have a smaller endpoint.
    unsigned number_here(const Place& place) const;
    bool is_here(const Place& place) const { return place.machine == layout_.here; }
    bool has_host() const { return layout_.host; }
    // Whether the rank there has nxrun's standard input: the host has it, or the first rank of a job without.
    bool reads_input(const Place& place) const
    {
        return has_host() ? place.role == Role::host : place.endpoint == 0;
    }
    // The name by which users know it: "node 2", "node 2, process 1", "the host".
    std::string name_of(const Place& place) const;

private:
    const Spread layout_;
    const unsigned endpoints_;
    std::deque<Place> places_;
    const std::unique_ptr<jobs::Roster::ProgramEntry[]> programs_;
    jobs::Roster roster_;
};

} // namespace parley::native
