// SPDX-License-Identifier: MIT
// Looks at what the ranks of this machine wait for, as the kernel's monitor does
// (kernel/job/wait_monitor.hpp).
#pragma once

#include "jobs/wait_view.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/rank_semaphores.hpp"
#include "native/nxrun/shared_file.hpp"
#include "native/nxrun/source_names.hpp"

#include <cstdint>
#include <string>

namespace parley::native {

class WaitWatch {
public:
    // `here`: the machine whose ranks these are.
    WaitWatch(const Places& places, unsigned here, const SharedFile& arena, const RankSemaphores& semaphores,
              SourceNames& names)
        : places_(places), here_(here), arena_(arena), semaphores_(semaphores), names_(names)
    {
    }

    // One look at all ranks of this machine.
    jobs::Look look() const;
    // One line for each rank that waits, one for each message that has come to it and does not end its wait,
    // and one for each that computes, is in a Linux call or has left.
    std::string report() const;
    // What the rank of an endpoint of this machine has left.
    const messaging::Unreceived& unreceived(unsigned endpoint) const;
    // Whether all programs' endpoints were closed: not those of places that stayed empty, nor of programs
    // that never entered the message system.
    bool all_are_closed() const;

private:
    class Teller;

    const messaging::WaitRecord& record(unsigned endpoint) const;
    bool is_here(const Place& place) const { return place.process != 0 && place.machine == here_; }
    jobs::Seen see(const Place& place) const;
    void report_rank(const Place& place, jobs::WaitReport& report, std::string& text) const;

    const Places& places_;
    const unsigned here_;
    const SharedFile& arena_;
    const RankSemaphores& semaphores_;
    SourceNames& names_;
};

} // namespace parley::native
