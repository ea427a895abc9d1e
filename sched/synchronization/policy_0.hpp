// SPDX-License-Identifier: MIT
// Parties sleep by P and V of semaphores with the first policy (sched/semaphore/policy_0.hpp).
#pragma once

#include "sched/synchronization/sleeping.hpp"

#include <string_view>

namespace parley::sched {

class Policy0Synchronization final : public Synchronization {
    using Words = SleepingWords<SemaphoreSleep>;

public:
    static constexpr std::string_view name = "policy-0";
    static constexpr std::string_view promise =
        "as SEMAPHORE=policy-0: a waiting process's pages are written, two policy processes stop and start";
    static constexpr std::string_view semaphores = name;
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    Result<void> contend(Lock& lock, Party&) override { return Words::contend(lock); }
    void hand_on(Lock& lock, Party&) override { Words::hand_on(lock); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return Words::wait(event, seen); }
    void wake(Event& event) override { Words::wake(event); }
};

} // namespace parley::sched
