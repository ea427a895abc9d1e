// SPDX-License-Identifier: MIT
// The first policy: two processes, both of which stop and start processes. The first takes a request of the
// kernel, if there is one, before it stops or starts a process; the second takes one only if there is no
// process to stop or start. The dirty pages of a process that waits are written at once.
#pragma once

#include "sched/semaphore/policy_module.hpp"
#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class Policy0Semaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "policy-0";
    static constexpr std::string_view promise =
        "a waiting process's dirty pages are written at once; two policy processes stop and start processes, "
        "each of them one after the other";

    explicit Policy0Semaphore(const SemaphoreSurroundings& surroundings)
        : module_(surroundings, PolicyModule::communication)
    {
    }

    Result<void> p(Counter& semaphore, SemaphoreWaiter& self) override { return semaphore.p(self, *this); }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }
    unsigned processes() const override { return 2; }
    void run(unsigned process) override
    {
        module_.serve(process == 0 ? PolicyModule::communication : PolicyModule::scheduling);
    }
    void close() override { module_.close(); }

    // For the Counter.
    bool sleep(SemaphoreWaiter& waiter, WaitTicket ticket) { return waiter.sleep(ticket); }
    void suspended(SemaphoreWaiter& waiter, WaitTicket ticket) { module_.suspend(waiter, ticket); }
    void resume(SemaphoreWaiter& waiter, WaitTicket ticket) { module_.wake(waiter, ticket); }
    void forget(SemaphoreWaiter& waiter) { module_.forget(waiter); }

private:
    PolicyModule module_;
};

} // namespace parley::sched
