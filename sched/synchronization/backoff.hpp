// SPDX-License-Identifier: MIT
// Parties spin, and look at a lock less often the longer they have waited: after each look that finds it
// held they pause twice as long as after the last (Anderson's exponential backoff), so that waiters do not
// take the lock's cache line from its holder. Events are watched as by spinlock, because only one party
// waits for each.
#pragma once

#include "sched/synchronization/spinning.hpp"
#include "sched/synchronization/synchronization.hpp"

#include <string_view>

namespace parley::sched {

class BackoffSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "backoff";
    static constexpr std::string_view promise =
        "as spinlock, and who waits long for a lock looks at it less and less often; not in order";
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = false;

    Result<void> contend(Lock& lock, Party&) override
    {
        platform::SpinWait spin;
        for (unsigned pauses = fewest_pauses; !lock.take_seen_free(); pauses = longer(pauses))
            for (unsigned pause = 0; pause < pauses; ++pause)
                if (!spin.once())
                    return std::unexpected(Error::killed);
        return {};
    }
    void hand_on(Lock& lock, Party&) override { lock.set_free(); }

    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }
    void wake(Event&) override { } // nobody sleeps

private:
    static constexpr unsigned fewest_pauses = 1;
    static constexpr unsigned most_pauses = 1024;

    static constexpr unsigned longer(unsigned pauses) { return pauses < most_pauses ? 2 * pauses : pauses; }
};

} // namespace parley::sched
