// SPDX-License-Identifier: MIT
// What parties contend for, and the parties. Both are placed in memory that all parties share; what is kept
// beside the word of a lock is the business of the Synchronization that a design has chosen.
#pragma once

#include "base/atomic.hpp"
#include "base/thread_safety.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::sched {

// Mutual exclusion. The word says 0 free, 1 held and nobody else wants it; what other values mean is the
// business of the Synchronization. One that does not mark waiters holds with any other value too. Beside the
// word a lock has the Synchronization's LockState, which whoever composes a system gives to it (states.hpp).
struct CAPABILITY("lock") Lock {
    Atomic<std::uint32_t> word{0};
    std::byte* state = nullptr;

    // By the process whose party this is. False: it must end, and does not hold the lock.
    template <class S, class P>
    [[nodiscard, gnu::always_inline]] bool acquire(S& synchronization, P& party) TRY_ACQUIRE(true)
    {
        if (take_free()) [[likely]]
            return true;
        return synchronization.contend(*this, party).has_value();
    }
    // By its holder. Release pairs with take_free() and contend().
    template <class S, class P>
    [[gnu::always_inline]] void release(S& synchronization, P& party, bool marks_waiters) RELEASE()
    {
        if (!marks_waiters)
            set_free();
        else if (!leave_unwanted()) [[unlikely]]
            synchronization.hand_on(*this, party);
    }

    // The steps of which a Synchronization makes these. They change the word alone, and the analysis of locks
    // does not follow them.

    // As 1, by the process whose endpoint the lock is of: should it end there, the lock can be told free.
    static constexpr std::uint32_t by_owner = 3;

    // Acquire pairs with the release of whoever had it before.
    bool take_free(std::uint32_t holder = 1)
    {
        std::uint32_t expected = 0;
        return word.compare_exchange_strong(expected, holder, std::memory_order_acquire,
                                            std::memory_order_relaxed);
    }
    // The same for who looks again and again: looks first, so that the cache line stays with its holder.
    bool take_seen_free() { return word.load(std::memory_order_relaxed) == 0 && take_free(); }
    // For a Synchronization that does not mark waiters.
    void set_free() { word.store(0, std::memory_order_release); }
    // False when somebody else wants it.
    bool leave_unwanted()
    {
        std::uint32_t expected = 1;
        return word.compare_exchange_strong(expected, 0, std::memory_order_release,
                                            std::memory_order_relaxed);
    }

    // The leaf's own, by its type: S::LockState.
    template <class LockState>
    LockState& state_as() const
    {
        return *reinterpret_cast<LockState*>(state);
    }
};

// A taker of locks: one for each process of a job, known by its number in the job. It waits for one lock
// at a time, and may hold several. It has the Synchronization's PartyState, beside those of all others.
class Party {
public:
    Party() = default;
    // `states` holds the PartyState of party 0, then that of 1, and so on.
    Party(std::uint32_t number, std::byte* states) : states_(states), number_(number) { }

    std::uint32_t number() const { return number_; }

    // The leaf's own, by its type S::PartyState: this party's, and that of another of the same job.
    template <class PartyState>
    PartyState& state_as() const
    {
        return state_of<PartyState>(number_);
    }
    template <class PartyState>
    PartyState& state_of(std::uint32_t other) const
    {
        return reinterpret_cast<PartyState*>(states_)[other];
    }

private:
    std::byte* states_ = nullptr;
    std::uint32_t number_ = 0;
};

} // namespace parley::sched
