// SPDX-License-Identifier: MIT
// Parties spin: by test-and-test-and-set for a lock, and by watching an event's sequence for an event.
#pragma once

#include "sched/synchronization/spinning.hpp"
#include "sched/synchronization/synchronization.hpp"

#include <string_view>

namespace parley::sched {

class SpinlockSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "spinlock";
    static constexpr std::string_view promise =
        "a waiting process keeps its processor and sees a message at once";
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = false;

    Result<void> contend(Lock& lock, Party&) override
    {
        platform::SpinWait spin;
        while (!lock.take_seen_free())
            if (!spin.once())
                return std::unexpected(Error::killed);
        return {};
    }
    void hand_on(Lock& lock, Party&) override { lock.set_free(); }
    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }
    void wake(Event&) override { } // nobody sleeps
};

} // namespace parley::sched
