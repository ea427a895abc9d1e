// SPDX-License-Identifier: MIT
// Locks, and the parties that contend for them. Both lie in memory that all parties share. The
// Synchronization that a design has chosen decides what is kept beside the word of a lock.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "base/processor_time_points.hpp"
#include "base/thread_safety.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::sched {

class Synchronization;
struct Lock;

// How a Synchronization leaves its locks, bound once: by its class, where that is known when this is
// compiled, and else by a word of each lock, written when its system is composed.
template <class S>
struct Leaving {
    static constexpr bool is_in_steps(const Lock&) { return S::marks_waiters; }
};
template <>
struct Leaving<Synchronization> {
    static constexpr bool is_in_steps(const Lock& lock);
};

// Mutual exclusion. The word is 0 when the lock is free, and 1 when it is held and nobody else wants it;
// the Synchronization decides what other values mean. For one that does not mark waiters, they mean that
// the lock is held. Beside the word a lock has the Synchronization's LockState and how that leaves locks,
// which it gets when a system is composed (states.hpp).
struct CAPABILITY("lock") Lock {
    // Means the same as 1, written by the process whose endpoint the lock belongs to. Where waiters are
    // marked it may be the name of one, and that process writes 1.
    static constexpr std::uint32_t by_owner = 3;

    Atomic<std::uint32_t> word{0};
    std::uint32_t owners_word = by_owner; // 1: its Synchronization marks waiters
    std::byte* state = nullptr;

    // The process whose party this is calls it. False: the process must end, and does not hold the lock.
    template <class S, class P>
    [[nodiscard, gnu::always_inline]] bool acquire(S& synchronization, P& party) TRY_ACQUIRE(true)
    {
        if (take_free()) [[likely]]
            return true;
        const processor_time::Inside waits(Activity::lock_wait);
        return synchronization.contend(*this, party).has_value();
    }
    // The holder calls it. Release pairs with take_free() and contend().
    template <class S, class P>
    [[gnu::always_inline]] void release(S& synchronization, P& party) RELEASE()
    {
        if (leaves_in_steps<S>())
            release_in_steps(synchronization, party);
        else
            set_free();
    }
    template <class S, class P>
    [[gnu::always_inline]] void release_in_steps(S& synchronization, P& party) RELEASE()
    {
        if (!leave_unwanted()) [[unlikely]]
            synchronization.hand_on(*this, party);
    }
    // Whether the Synchronization leaves its locks by more than a plain store, since they mark who waits.
    template <class S>
    constexpr bool leaves_in_steps() const
    {
        return Leaving<S>::is_in_steps(*this);
    }

    // The steps of which a Synchronization makes contend() and hand_on(). They change the word only, and the
    // analysis of locks does not follow them.

    // The process whose endpoint the lock belongs to takes it so that, if that process ends while it holds
    // the lock, whoever cleans up can set the lock free.
    bool take_free_by_owner() { return take_free(owners_word); }
    void release_for_owner()
    {
        std::uint32_t held = by_owner;
        if (owners_word == by_owner)
            word.compare_exchange_strong(held, 0, std::memory_order_acq_rel);
    }

    // Acquire pairs with the release of the holder before.
    bool take_free(std::uint32_t holder = 1)
    {
        std::uint32_t expected = 0;
        return word.compare_exchange_strong(expected, holder, std::memory_order_acquire,
                                            std::memory_order_relaxed);
    }
    // Like take_free(), for a party that spins: it loads the word first, so that the cache line stays with
    // the holder.
    bool take_seen_free() { return word.load(std::memory_order_relaxed) == 0 && take_free(); }
    // For a Synchronization that does not mark waiters.
    void set_free()
    {
        assert_that([&] { return is_held(); });
        word.store(0, std::memory_order_release);
    }
    // False when somebody else wants it.
    bool leave_unwanted()
    {
        assert_that([&] { return is_held(); });
        std::uint32_t expected = 1;
        return word.compare_exchange_strong(expected, 0, std::memory_order_release,
                                            std::memory_order_relaxed);
    }

    // Whether anybody holds it: an answer for the holder alone.
    bool is_held() const { return word.load(std::memory_order_relaxed) != 0; }

    // The state that the leaf has for this lock, by its type: S::LockState.
    template <class LockState>
    LockState& state_as() const
    {
        return *reinterpret_cast<LockState*>(state);
    }
};

constexpr bool Leaving<Synchronization>::is_in_steps(const Lock& lock)
{
    return lock.owners_word != Lock::by_owner;
}

// A party takes locks. Each process of a job has one, known by its number in the job. It waits for one
// lock at a time, and may hold several. Its PartyState of the Synchronization lies beside those of all
// others.
class Party {
public:
    Party() = default;
    // `states` holds the PartyState of party 0, then that of 1, and so on.
    Party(std::uint32_t number, std::byte* states) : states_(states), number_(number) { }

    std::uint32_t number() const { return number_; }

    // The state that the leaf has for this party, by its type S::PartyState, and for another one of the
    // same job.
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
