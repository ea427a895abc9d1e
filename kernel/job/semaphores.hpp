// SPDX-License-Identifier: MIT
// A job's semaphores in the kernel: the kind that it was given, what that needs of the kernel, and the ends
// of its policy processes.
#pragma once

#include "kernel/base/address.hpp"
#include "kernel/memory/shared_region.hpp"
#include "kernel/memory/window.hpp"
#include "messaging/design/semaphores.hpp"
#include "sched/semaphore/semaphore_table.hpp"

#include <atomic>

namespace parley::kernel {

class JobSemaphores {
public:
    // The kind that a job says, parsed. Errors: no_memory.
    static Result<JobSemaphores*> create(Window& window, unsigned job, unsigned programs,
                                         const messaging::LeafChoice& kind);

    // The words of those that are kept in user space lie at the end of the region.
    void lie_in(SharedRegion& region) { region_ = &region; }

    unsigned policy_processes() const { return kind_->processes(); }
    const messaging::LeafChoice& choice() const { return choice_; }

    // ---- the calls (kernel/interface/calls.def) ----

    Result<std::uint64_t> open(std::uint64_t number, std::uint64_t count);
    struct Binding {
        std::uint32_t delay;
        UserAddress word; // 0: the kernel keeps the count
    };
    Result<Binding> bind(long id) const;
    Result<void> p(unsigned process, long id) { return table_.p(process, id); }
    Result<void> v(long id) { return table_.v(id); }
    parley_semaphore_counts counts() const { return counts_.now(); }

    // Whether the process waits in P, and no V has come for it.
    bool waits(unsigned process, sched::Waiter::Wait& wait) const { return table_.waits(process, wait); }

    // ---- by the job ----

    // The work of a policy process, until the last program has gone, or until it must end.
    void run(unsigned policy_process) { kind_->run(policy_process); }
    // A process runs no program and never will again.
    void program_gone();

private:
    class Clock final : public sched::SemaphoreClock {
    public:
        std::uint64_t nanoseconds() override;
        bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed) override;
    };

    friend Arena;
    JobSemaphores(Window& window, unsigned job, unsigned programs, const messaging::LeafChoice& choice)
        : choice_(choice), live_(programs), table_(window, job, programs, counts_)
    {
    }
    std::size_t offset_of(unsigned number) const;

    const messaging::LeafChoice choice_;
    std::atomic<unsigned> live_; // programs
    sched::SemaphoreCounts counts_;
    Clock clock_;
    sched::CountedStore store_;
    sched::SemaphoreTable table_;
    sched::Semaphore* kind_ = nullptr;
    SharedRegion* region_ = nullptr;
};

} // namespace parley::kernel
