// SPDX-License-Identifier: MIT
// Processes that sleep until a time. The tick of the first processor wakes those that are due, so sleeps end
// up to one tick late.
#pragma once

#include "sched/wait_table.hpp"

#include <atomic>

namespace parley::kernel {

class TimerQueue {
public:
    explicit TimerQueue(sched::WaitTable& waits) : waits_(waits) { }

    // Sleep until the clock shows `nanoseconds`, or until the process is to be interrupted. False when it has
    // been killed.
    bool sleep_until(std::uint64_t nanoseconds, const sched::PendingWork& pending_work);
    bool sleep_until(std::uint64_t nanoseconds);
    // The same, or until `over`, which is noticed at the next tick.
    bool sleep_until(std::uint64_t nanoseconds, const std::atomic<bool>& over);
    // Wake all that are due.
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
