// SPDX-License-Identifier: MIT
// Parties sleep by P and V of semaphores with the later policy (sched/semaphore/policy_1.hpp).
#pragma once

#include "sched/policy_arguments.hpp"
#include "sched/synchronization/sleeping.hpp"

#include <string_view>

namespace parley::sched {

class Policy1Synchronization final : public Synchronization {
    using Words = SleepingWords<SemaphoreSleep>;

public:
    static constexpr std::string_view name = "policy-1";
    static constexpr std::string_view promise =
        "as SEMAPHORE=policy-1: pages are written after a time, within it no policy process runs";
    static constexpr std::string_view semaphores = name;
    static constexpr auto& arguments = policy_1_arguments;
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    // These are the arguments of the policy processes.
    explicit Policy1Synchronization(const LeafValues&) { }

    Result<void> contend(Lock& lock, Party&) override { return Words::contend(lock); }
    void hand_on(Lock& lock, Party&) override { Words::hand_on(lock); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return Words::wait(event, seen); }
    void wake(Event& event) override { Words::wake(event); }
};

} // namespace parley::sched
