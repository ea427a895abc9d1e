// SPDX-License-Identifier: MIT
// Parties sleep. A lock's word is 0 free, 1 held, 2 held and perhaps slept for; an event counts its sleepers.
// Sleeping checks the word again (platform::block), so that a wake between look and sleep is not lost.
#pragma once

#include "sched/synchronization/synchronization.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::sched {

class SemaphoreSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "semaphore";
    static constexpr std::string_view promise = "a waiting process sleeps and leaves its processor to others";
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    Result<void> contend(Lock& lock, Party&) override
    {
        while (lock.word.exchange(2, std::memory_order_acquire) != 0)
            if (!platform::block(lock.word, 2))
                return give_up(lock);
        return {};
    }

    void hand_on(Lock& lock, Party&) override
    {
        lock.word.store(0, std::memory_order_release); // pairs with the exchange above
        platform::wake(lock.word, 1);
    }

    // Sequentially consistent together with signal(): either the signaller sees the sleeper, or the sleeper
    // the new sequence.
    Result<void> wait(Event& event, std::uint32_t seen) override
    {
        Result<void> result;
        event.sleepers.fetch_add(1, std::memory_order_seq_cst);
        while (result && event.sequence.load(std::memory_order_seq_cst) == seen)
            if (!platform::block(event.sequence, seen))
                result = std::unexpected(Error::killed);
        event.sleepers.fetch_sub(1, std::memory_order_relaxed);
        return result;
    }

    void wake(Event& event) override { platform::wake(event.sequence, ~0u); }

private:
    // It may be the one sleeper that was woken for the lock: then another has to come in its place, who also
    // marks the lock again for those who sleep on.
    static Result<void> give_up(Lock& lock)
    {
        platform::wake(lock.word, 1);
        return std::unexpected(Error::killed);
    }
};

} // namespace parley::sched
