// SPDX-License-Identifier: MIT
// Parties sleep in the way that the platform has for it.
#pragma once

#include "sched/synchronization/sleeping.hpp"

#include <string_view>

namespace parley::sched {

class SemaphoreSynchronization final : public Synchronization {
    using Words = SleepingWords<PlatformSleep>;

public:
    static constexpr std::string_view name = "semaphore";
    static constexpr std::string_view promise = "a waiting process sleeps and leaves its processor to others";
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    Result<void> contend(Lock& lock, Party&) override { return Words::contend(lock); }
    void hand_on(Lock& lock, Party&) override { Words::hand_on(lock); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return Words::wait(event, seen); }
    void wake(Event& event) override { Words::wake(event); }
};

} // namespace parley::sched
