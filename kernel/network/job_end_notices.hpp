// SPDX-License-Identifier: MIT
// How jobs have ended on machines that run them together, where they did not end well: what this machine has
// to tell the others of those that ended here, and what they have told. A machine may be behind another by
// several jobs, or have no room on its link for long, so every job has its own entry, which no later job's
// end covers. One party at a time calls it.
#pragma once

#include "interface/limits.h"
#include "kernel/network/frame.hpp"
#include "kernel/program/configuration.hpp"

#include <array>

namespace parley::kernel {

class JobEndNotices {
public:
    // An end is as PacketOfJob has it, and not 0.
    void ended_here(unsigned job, unsigned end)
    {
        for (Ends& untold : untold_)
            untold[job] = end;
    }
    // Calls `send(packet)` with each end that this machine has not been told, until that is false: there is
    // no room.
    template <class Send>
    void tell(unsigned machine, const Send& send)
    {
        for (unsigned job = 0; job < jobs; ++job) {
            std::uint32_t& end = untold_[machine][job];
            if (end != 0 && !send(PacketOfJob{job, end}))
                return;
            end = 0;
        }
    }

    // That machine has told this.
    void hear(unsigned machine, const PacketOfJob& packet)
    {
        if (packet.job < jobs)
            heard_[machine][packet.job] = packet.end;
    }
    // How a machine has said that this job has ended there, and which; 0: none has.
    unsigned heard(unsigned job, unsigned& machine) const
    {
        for (machine = 0; machine < heard_.size(); ++machine)
            if (const unsigned end = heard_[machine][job])
                return end;
        return 0;
    }

private:
    static constexpr unsigned jobs = PARLEY_MAX_JOBS;
    using Ends = std::array<std::uint32_t, jobs>; // 0: none

    std::array<Ends, MachineTable::most> untold_{}, heard_{};
};

} // namespace parley::kernel
