// SPDX-License-Identifier: MIT
// A queue lock's way to wait: each process looks at a word of its own, in a cache line of its own, so that
// who waits disturbs nobody, and a V costs the next in the queue one line. Unlike spin it counts, is first
// in, first out, and is the kernel's: a place in the queue is given up when its process is killed.
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

    Result<void> p(Counter& semaphore, Waiter& self) override { return semaphore.p(self, *this); }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }

    // For the Counter.
    bool sleep(Waiter& waiter, WaitTicket ticket) { return waiter.spin(ticket); }
    void suspended(Waiter&, WaitTicket) { }
    void resume(Waiter& waiter, WaitTicket ticket) { waiter.pass(ticket); }
    void forget(Waiter&) { }
};

} // namespace parley::sched
