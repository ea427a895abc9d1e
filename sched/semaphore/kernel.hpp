// SPDX-License-Identifier: MIT
// The kernel's own semaphore: a process that waits is in the semaphore's queue and leaves its processor. Its
// pages stay in memory, so V makes it ready at once.
#pragma once

#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class KernelSemaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "kernel";
    static constexpr std::string_view promise = "P and V are calls; who waits stands in a queue, oldest "
                                                "first, leaves its processor and keeps its pages";

    explicit KernelSemaphore(const SemaphoreSurroundings&) { }

    Result<void> p(Counter& semaphore, SemaphoreWaiter& self) override { return semaphore.p(self, *this); }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }

    // For the Counter.
    bool sleep(SemaphoreWaiter& waiter, WaitTicket ticket) { return waiter.sleep(ticket); }
    void suspended(SemaphoreWaiter&, WaitTicket) { }
    void resume(SemaphoreWaiter& waiter, WaitTicket ticket) { waiter.end(ticket); }
    void forget(SemaphoreWaiter&) { }
};

} // namespace parley::sched
