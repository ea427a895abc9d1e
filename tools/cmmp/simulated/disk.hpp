// SPDX-License-Identifier: MIT
// Fixed-head disks of C.mmp's kind: a page fills a track, so it is read in one revolution from wherever the
// disk stands, and written and checked by reading in two. A disk serves one request after the other; who asks
// keeps its processor meanwhile.
#pragma once

#include "sched/semaphore/surroundings.hpp"
#include "tools/cmmp/simulated/programs.hpp"

#include <algorithm>
#include <vector>

namespace parley::simulated {

class FixedHeadDisks final : public sched::BackingStore {
public:
    // `rotation` 0: pages take no time. `pages`: that each waiting process has written to.
    FixedHeadDisks(Nanoseconds rotation, unsigned disks, unsigned pages)
        : rotation_(rotation), pages_(pages), free_at_(disks)
    {
    }

    unsigned write_back(unsigned process) override { return serve(process, 2 * rotation_); }
    unsigned bring_back(unsigned process) override { return serve(process, rotation_); }
    // What those who asked have waited.
    Nanoseconds busy() const { return busy_; }

private:
    unsigned serve(unsigned process, Nanoseconds each)
    {
        if (rotation_ == 0)
            return pages_;
        Nanoseconds& free_at = free_at_[process % free_at_.size()];
        free_at = std::max(free_at, Programs::now()) + pages_ * each;
        const Nanoseconds time = free_at - Programs::now();
        busy_ += time;
        Programs::here()->compute(time);
        return pages_;
    }

    const Nanoseconds rotation_;
    const unsigned pages_;
    std::vector<Nanoseconds> free_at_;
    Nanoseconds busy_ = 0;
};

} // namespace parley::simulated
