// SPDX-License-Identifier: MIT
// Parties look for about as long as a sleep costs, then sleep: a wait costs at most twice what the better
// choice would have cost (Karlin, Manasse, McGeoch and Owicki, 1994). Locks and events are used as by
// semaphore.
#pragma once

#include "sched/synchronization/sleeping.hpp"

#include <string_view>

namespace parley::sched {

class TwoPhaseSynchronization final : public Synchronization {
    using Words = SleepingWords<PlatformSleep>;

public:
    static constexpr std::string_view name = "two-phase";
    static constexpr std::string_view promise = "a waiting process looks for some microseconds, then sleeps";
    static constexpr bool spins = false;
    static constexpr bool looks_first = true;
    static constexpr bool marks_waiters = true;

    Result<void> contend(Lock& lock, Party&) override
    {
        if (TRY(seen([&] { return lock.take_seen_free(); })))
            return {};
        return Words::contend(lock);
    }

    void hand_on(Lock& lock, Party&) override { Words::hand_on(lock); }

    // Acquire in the looks pairs with the release half of the sequence's increment in every signal().
    Result<void> wait(Event& event, std::uint32_t seen_before) override
    {
        if (TRY(seen([&] { return event.sequence.load(std::memory_order_acquire) != seen_before; })))
            return {};
        return Words::wait(event, seen_before);
    }

    void wake(Event& event) override { Words::wake(event); }

private:
    // Whether the condition becomes true while the caller looks. Errors: killed.
    template <class Done>
    static Result<bool> seen(Done done)
    {
        platform::SpinWait spin;
        for (unsigned left = platform::sleep_turns(); left > 0; --left) {
            if (done())
                return true;
            if (!spin.once())
                return std::unexpected(Error::killed);
        }
        return false;
    }
};

} // namespace parley::sched
