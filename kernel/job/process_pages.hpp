// SPDX-License-Identifier: MIT
// Writes the dirty pages of a job's waiting processes, and brings as many back. Dirty pages are found by
// their dirty bits, which are cleared. The contents stay where they are; if a study gives the machine a disk,
// the pages take the time that it needs for them.
#pragma once

#include "base/arena.hpp"
#include "kernel/hooks.hpp"
#include "kernel/job/job_processes.hpp"
#include "kernel/process/timer_queue.hpp"
#include "sched/semaphore/surroundings.hpp"

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
    // `disk`: null where pages take no time.
    ProcessPages(TimerQueue& timers, DiskHook* disk) : timers_(timers), disk_(disk) { }

    TimerQueue& timers_;
    DiskHook* const disk_;
    JobProcesses processes_;
    // By process, while it waits: how many of its pages were dirty and have been written. Zeros from the
    // arena.
    unsigned* away_ = nullptr;
};

} // namespace parley::kernel
