// SPDX-License-Identifier: MIT
// Processes that sleep until a time, in nanoseconds since boot. The tick of the processor that keeps the
// time wakes those that are due, so sleeps end up to one tick late. The sleeper holds no lock.
#pragma once

#include "sched/wait_table.hpp"

#include <atomic>

namespace parley::kernel {

class TimerQueue {
public:
    explicit TimerQueue(sched::WaitTable& waits) : waits_(waits) { }

    // Sleeps until the clock shows `nanoseconds`, or until the process is to be interrupted. False when it
    // has been killed.
    bool sleep_until(std::uint64_t nanoseconds, const sched::PendingWork& pending_work);
    bool sleep_until(std::uint64_t nanoseconds);
    // Sleeps until then, or until `over`, which is noticed at the next tick.
    bool sleep_until(std::uint64_t nanoseconds, const std::atomic<bool>& over);
    // Wakes all that are due. Called at each tick of the processor that keeps the time.
    void tick(std::uint64_t now);

private:
    template <class Sleeps>
    bool sleep_while(const Sleeps& sleeps);

    sched::WaitTable& waits_;
    // The tick: sleepers look again at each, also for interruptions. They are few, so no order is kept.
    std::atomic<std::uint64_t> now_{0};
    std::atomic<unsigned> sleepers_{0};
};

} // namespace parley::kernel
