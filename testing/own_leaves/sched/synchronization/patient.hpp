// SPDX-License-Identifier: MIT
// Parties look so many times as they are told for what may come soon, and then sleep.
#pragma once

#include "base/leaf_argument.hpp"
#include "sched/synchronization/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class PatientSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "patient";
    static constexpr std::string_view promise = "a waiting process looks for a while, then sleeps";
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = SemaphoreSynchronization::marks_waiters;
    static constexpr LeafArgument arguments[] = {
        {"looks", "how often it looks before it sleeps", units::number, 0, 4'096, 20},
    };

    struct LockState {
        Atomic<std::uint32_t> slept_for{0}; // how often looking did not do
    };
    struct alignas(64) PartyState {
        std::uint32_t looks = 0; // in its last wait for a lock
    };

    explicit PatientSynchronization(const LeafValues& values) : looks_(values[0]) { }

    Result<void> contend(Lock& lock, Party& party) override
    {
        std::uint32_t& looks = party.state_as<PartyState>().looks;
        for (looks = 0; looks < looks_; ++looks) {
            if (lock.word.load(std::memory_order_relaxed) == 0 && lock.take_free())
                return {};
            platform::pause();
        }
        lock.state_as<LockState>().slept_for.fetch_add(1, std::memory_order_relaxed);
        return sleeping_.contend(lock, party);
    }
    void hand_on(Lock& lock, Party& party) override { sleeping_.hand_on(lock, party); }

    Result<void> wait(Event& event, std::uint32_t seen) override
    {
        for (std::uint64_t looks = 0; looks < looks_; ++looks) {
            if (event.sequence.load(std::memory_order_acquire) != seen)
                return {};
            platform::pause();
        }
        return sleeping_.wait(event, seen);
    }
    void wake(Event& event) override { sleeping_.wake(event); }

private:
    SemaphoreSynchronization sleeping_;
    const std::uint64_t looks_;
};

} // namespace parley::sched
