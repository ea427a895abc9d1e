// SPDX-License-Identifier: MIT
// The jobs that run: each has a slot while it does, and whoever waits for ends of jobs is told of them.
#pragma once

#include "arch/x86_64/memory_map.hpp"
#include "kernel/job/job_ends.hpp"

#include <atomic>

namespace parley::kernel {

class Job;

class RunningJobs {
public:
    // A job has a window, and one is the kernel's.
    static constexpr unsigned most = WINDOW_COUNT - 1;

    explicit RunningJobs(sched::WaitTable& waits) : ends_(waits) { }
    RunningJobs(const RunningJobs&) = delete;

    // The job has all that a look at it needs. Release: pairs with the acquire of for_each().
    void begin(unsigned slot, Job& job) { slots_[slot].store(&job, std::memory_order_release); }
    // All its processes have ended. A look that began before may still be under way.
    void end(unsigned slot) { slots_[slot].store(nullptr, std::memory_order_release); }

    // Calls `look` with each job. Called by the processor that keeps the time.
    template <class Look>
    void for_each(const Look& look)
    {
        for (auto& slot : slots_)
            if (Job* const job = slot.load(std::memory_order_acquire))
                look(*job);
    }

    JobEnds& ends() { return ends_; }

private:
    std::atomic<Job*> slots_[most] = {}; // debuggers look here
    JobEnds ends_;
};

} // namespace parley::kernel
