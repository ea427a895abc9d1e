// SPDX-License-Identifier: MIT
// The places of a job, by endpoint: first a row of all nodes for each pid, then the host's, then helpers'.
#pragma once

#include "messaging/layout.hpp"
#include "native/nxrun/place.hpp"

#include <deque>
#include <vector>

namespace parley::native {

class Places {
public:
    // All empty. `helpers`: of this machine.
    Places(const messaging::Layout& layout, unsigned helpers);

    Place& operator[](std::size_t endpoint) { return places_[endpoint]; }
    const Place& operator[](std::size_t endpoint) const { return places_[endpoint]; }
    std::size_t size() const { return places_.size(); }
    Place& back() { return places_.back(); }
    auto begin() { return places_.begin(); }
    auto end() { return places_.end(); }
    auto begin() const { return places_.begin(); }
    auto end() const { return places_.end(); }

    // How many of this machine's have a smaller endpoint.
    unsigned number_here(const Place& place) const;
    bool is_here(const Place& place) const { return place.machine == layout_.here; }

    // Those of nodes that a call means.
    std::vector<Place*> chosen(Chosen which, const Place* except = nullptr);
    bool none_runs(Chosen which, const Place* except) const;

    // The row that has this pid: since it was given it, by its number, or one that may get it. None: -1.
    long row_of(long pid) const;
    // The places that programs with this pid take on the node, -1: on all.
    std::vector<Place*> of_row(long row, long node);
    // From now on.
    void give_pid(long row, int pid) { pids_[static_cast<std::size_t>(row)] = pid; }

private:
    static bool is_meant(const Place& place, Chosen which, const Place* except);

    const messaging::Layout layout_;
    std::deque<Place> places_;
    std::vector<int> pids_; // that a row was given; -1: none of its own
};

} // namespace parley::native
