// SPDX-License-Identifier: MIT
// The backing store of simulated processes: each has written to so many pages when it waits, which somebody
// must find, and who writes or reads them keeps its processor until the disk has done it.
#pragma once

#include "sched/semaphore/surroundings.hpp"
#include "studies/cmmp/measuring/fixed_head_disks.hpp"
#include "studies/cmmp/simulated/programs.hpp"

namespace parley::simulated {

class SimulatedStore final : public sched::BackingStore {
public:
    SimulatedStore(Nanoseconds search, Nanoseconds rotation, unsigned disks, unsigned pages)
        : search_(search), disks_(rotation, disks), pages_(pages)
    {
    }

    unsigned write_back(unsigned process) override
    {
        spend(search_);
        return wait(disks_.written_at(process, pages_, SimulatedPrograms::now()));
    }
    unsigned bring_back(unsigned process) override
    {
        return wait(disks_.read_at(process, pages_, SimulatedPrograms::now()));
    }
    // What those who asked have searched and waited.
    Nanoseconds busy() const { return busy_; }

private:
    unsigned wait(Nanoseconds until)
    {
        spend(until - SimulatedPrograms::now());
        return pages_;
    }
    void spend(Nanoseconds time)
    {
        busy_ += time;
        if (time != 0)
            SimulatedPrograms::here()->compute(time);
    }

    const Nanoseconds search_;
    cmmp::FixedHeadDisks disks_;
    const unsigned pages_;
    Nanoseconds busy_ = 0;
};

} // namespace parley::simulated
