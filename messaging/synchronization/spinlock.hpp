// SPDX-License-Identifier: MIT
// Parties spin: test-and-test-and-set for locks, watching the event's sequence for events.
#pragma once

#include "messaging/spinning.hpp"
#include "messaging/synchronization.hpp"

#include <string_view>

namespace parley::messaging {

class SpinlockSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "spinlock";
    static constexpr std::string_view promise =
        "a waiting process keeps its processor and sees a message at once";
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = false;

    Result<void> contend(Lock& lock) override { return spin_unless_killed(lock); }
    void hand_on(Lock& lock) override { unlock(lock); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }
    void wake(Event&) override { } // nobody sleeps
};

} // namespace parley::messaging
