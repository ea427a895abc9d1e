// SPDX-License-Identifier: MIT
// Writes the dirty pages of a job's waiting processes, and brings as many back. Dirty pages are found by
// their dirty bits, which are cleared. The contents stay where they are; if the job has a disk, the pages
// take the time that it needs for them.
#pragma once

#include "base/arena.hpp"
#include "kernel/job/job_processes.hpp"
#include "kernel/process/timer_queue.hpp"
#include "sched/semaphore/fixed_head_disks.hpp"
#include "sched/semaphore/surroundings.hpp"

#include <optional>

namespace parley::kernel {

class ProcessPages final : public sched::BackingStore {
public:
    // Tells whose pages they are. Called once, before any of them runs. Errors: no_memory.
    Result<void> know(Arena& arena, const JobProcesses& processes);

    // Called by policy processes of the job, one at a time for each process.
    unsigned write_back(unsigned endpoint) override;
    unsigned bring_back(unsigned endpoint) override;

private:
    friend Arena;
    // `disk`: the arguments of FixedHeadDisks, or null.
    ProcessPages(TimerQueue& timers, const LeafValues* disk) : timers_(timers)
    {
        if (disk != nullptr)
            disks_.emplace(*disk);
    }

    TimerQueue& timers_;
    JobProcesses processes_;
    // By process, while it waits: how many of its pages were dirty and have been written. Zeros from the
    // arena.
    unsigned* away_ = nullptr;
    std::optional<sched::FixedHeadDisks> disks_;
};

} // namespace parley::kernel
