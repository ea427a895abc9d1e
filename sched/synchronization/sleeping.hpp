// SPDX-License-Identifier: MIT
// What Synchronizations whose parties sleep have in common. A lock's word is 0 when it is free, 1 when it
// is held, and 2 when it is held and somebody may sleep for it; an event counts its sleepers. A sleep
// checks the word again, so that a wake between the look and the sleep is not lost.
#pragma once

#include "sched/synchronization/synchronization.hpp"

#include "platform.hpp"

namespace parley::sched {

// A party sleeps on a word in the way that the platform has for it.
struct PlatformSleep {
    static bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
    {
        return platform::block(word, expected);
    }
    static unsigned wake(Atomic<std::uint32_t>& word, unsigned count) { return platform::wake(word, count); }
};

// A party sleeps on a word by P and V of the kind of semaphores that its job has for that.
struct SemaphoreSleep {
    static bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
    {
        return platform::suspend(word, expected);
    }
    static unsigned wake(Atomic<std::uint32_t>& word, unsigned count)
    {
        return platform::resume(word, count);
    }
};

// The work of a leaf's functions that have the same names.
template <class Sleep>
struct SleepingWords {
    static Result<void> contend(Lock& lock)
    {
        while (lock.word.exchange(2, std::memory_order_acquire) != 0)
            if (!Sleep::block(lock.word, 2))
                return give_up(lock);
        return {};
    }

    static void hand_on(Lock& lock)
    {
        lock.word.store(0, std::memory_order_release); // pairs with the exchange above
        Sleep::wake(lock.word, 1);
    }

    // Sequentially consistent, like signal(): either the signaller sees the sleeper, or the sleeper sees
    // the new sequence.
    static Result<void> wait(Event& event, std::uint32_t seen)
    {
        Result<void> result;
        event.sleepers.fetch_add(1, std::memory_order_seq_cst);
        while (result && event.sequence.load(std::memory_order_seq_cst) == seen)
            if (!Sleep::block(event.sequence, seen))
                result = std::unexpected(Error::killed);
        event.sleepers.fetch_sub(1, std::memory_order_relaxed);
        return result;
    }

    static void wake(Event& event) { Sleep::wake(event.sequence, ~0u); }

private:
    // The caller may be the one sleeper that was woken for the lock. Another must then be woken instead of
    // it, and marks the lock again for those that still sleep.
    static Result<void> give_up(Lock& lock)
    {
        Sleep::wake(lock.word, 1);
        return std::unexpected(Error::killed);
    }
};

} // namespace parley::sched
