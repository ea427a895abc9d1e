// SPDX-License-Identifier: MIT
// Parties sleep by P and V of the kernel's own semaphores (sched/semaphore/kernel.hpp).
#pragma once

#include "sched/synchronization/sleeping.hpp"

#include <string_view>

namespace parley::sched {

class KernelSynchronization final : public Synchronization {
    using Words = SleepingWords<SemaphoreSleep>;

public:
    static constexpr std::string_view name = "kernel";
    static constexpr std::string_view promise =
        "a waiting process waits in P of a semaphore that the kernel keeps, as SEMAPHORE=kernel";
    static constexpr std::string_view semaphores = name;
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    Result<void> contend(Lock& lock, Party&) override { return Words::contend(lock); }
    void hand_on(Lock& lock, Party&) override { Words::hand_on(lock); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return Words::wait(event, seen); }
    void wake(Event& event) override { Words::wake(event); }
};

} // namespace parley::sched
