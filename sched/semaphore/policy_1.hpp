// SPDX-License-Identifier: MIT
// The later policy: several processes stop and start processes, any of them any process. The dirty pages of a
// process that waits are written only when it has waited for a time; a V that comes earlier runs no policy
// process.
#pragma once

#include "sched/policy_arguments.hpp"
#include "sched/semaphore/policy_module.hpp"
#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class Policy1Semaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "policy-1";
    static constexpr std::string_view promise = "a waiting process's dirty pages are written after a time; "
                                                "within it V goes on without policy processes";
    static constexpr auto& arguments = policy_1_arguments;

    Policy1Semaphore(const SemaphoreSurroundings& surroundings, const LeafValues& values)
        : epsilon_(values[0]), servers_(static_cast<unsigned>(values[1])),
          module_(surroundings, PolicyModule::scheduling)
    {
    }

    Result<void> p(Counter& semaphore, SemaphoreWaiter& self) override { return semaphore.p(self, *this); }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }
    // One more than those that serve requests: it watches the clock.
    unsigned processes() const override { return servers_ + 1; }
    void run(unsigned process) override
    {
        process == servers_ ? module_.watch_the_time() : module_.serve(PolicyModule::scheduling);
    }
    void close() override { module_.close(); }

    // For the Counter.
    bool sleep(SemaphoreWaiter& waiter, WaitTicket ticket) { return waiter.sleep(ticket); }
    void suspended(SemaphoreWaiter& waiter, WaitTicket ticket)
    {
        epsilon_ == 0 ? module_.suspend(waiter, ticket) : module_.suspend_later(waiter, ticket, epsilon_);
    }
    void resume(SemaphoreWaiter& waiter, WaitTicket ticket) { module_.wake(waiter, ticket); }
    void forget(SemaphoreWaiter& waiter) { module_.forget(waiter); }

private:
    const std::uint64_t epsilon_; // nanoseconds
    const unsigned servers_;
    PolicyModule module_;
};

} // namespace parley::sched
