// SPDX-License-Identifier: MIT
// A kind of semaphores in a job, with what it needs of the kernel; the job runs its policy processes.
#pragma once

#include "kernel/memory/window.hpp"
#include "kernel/process/timer_queue.hpp"
#include "messaging/design/semaphores.hpp"
#include "sched/semaphore/semaphore.hpp"

#include <atomic>

namespace parley::kernel {

class SemaphoreKind {
public:
    // `users`: how many processes use it. Errors: not_found, where there is no such kind; no_memory.
    static Result<SemaphoreKind*> create(Window& window, const messaging::LeafChoice& choice, unsigned users,
                                         sched::BackingStore& store, TimerQueue& timers);

    const messaging::LeafChoice& choice() const { return choice_; }
    sched::Semaphore& semaphore() { return *semaphore_; }
    const sched::Semaphore& semaphore() const { return *semaphore_; }
    sched::SemaphoreCounts& counts() { return counts_; }
    const sched::SemaphoreCounts& counts() const { return counts_; }

    // One of the users will never use the kind again; after the last of them its policy processes end.
    void user_gone();

private:
    class Clock final : public sched::SemaphoreClock {
    public:
        explicit Clock(TimerQueue& timers) : timers_(timers) { }
        std::uint64_t nanoseconds() override;
        bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed) override;

    private:
        TimerQueue& timers_;
    };

    friend Arena;
    SemaphoreKind(const messaging::LeafChoice& choice, unsigned users, TimerQueue& timers)
        : choice_(choice), users_(users), clock_(timers)
    {
    }

    const messaging::LeafChoice choice_;
    std::atomic<unsigned> users_;
    sched::SemaphoreCounts counts_;
    Clock clock_;
    sched::Semaphore* semaphore_ = nullptr;
};

} // namespace parley::kernel
