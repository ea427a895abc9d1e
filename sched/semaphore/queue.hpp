// SPDX-License-Identifier: MIT
// Processes wait as in a queue lock: each watches a word of its own, in a cache line of its own, so that
// waiting disturbs nobody, and a V moves one line to the next in the queue. Unlike spin it counts, it
// serves first in, first out, and the kernel keeps it: a process that is killed leaves the queue.
#pragma once

#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class QueueSemaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "queue";
    static constexpr std::string_view promise = "P and V are calls; who waits stands in a queue, oldest "
                                                "first, looks at a word of its own and keeps its processor";

    explicit QueueSemaphore(const SemaphoreSurroundings&) { }

    Result<void> p(Counter& semaphore, SemaphoreWaiter& self) override { return semaphore.p(self, *this); }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }

    // For the Counter.
    bool sleep(SemaphoreWaiter& waiter, WaitTicket ticket) { return waiter.spin(ticket); }
    void suspended(SemaphoreWaiter&, WaitTicket) { }
    void resume(SemaphoreWaiter& waiter, WaitTicket ticket) { waiter.pass(ticket); }
    void forget(SemaphoreWaiter&) { }
};

} // namespace parley::sched
