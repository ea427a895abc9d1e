// SPDX-License-Identifier: MIT
// The words of Synchronizations whose parties sleep. A lock's word is 0 free, 1 held, 2 held and perhaps
// slept for; an event counts its sleepers. Sleeping checks the word again, so that a wake between look and
// sleep is not lost.
#pragma once

#include "sched/synchronization/synchronization.hpp"

#include "platform.hpp"

namespace parley::sched {

// How a party sleeps on a word: as the platform does it, or
struct PlatformSleep {
    static bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
    {
        return platform::block(word, expected);
    }
    static unsigned wake(Atomic<std::uint32_t>& word, unsigned count) { return platform::wake(word, count); }
};

// by P and V of the kind of semaphores that its job has for that.
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

// What a leaf's functions of the same names do.
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

    // Sequentially consistent together with signal(): either the signaller sees the sleeper, or the sleeper
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
    // It may be the one sleeper that was woken for the lock: then another has to come in its place, who also
    // marks the lock again for those who sleep on.
    static Result<void> give_up(Lock& lock)
    {
        Sleep::wake(lock.word, 1);
        return std::unexpected(Error::killed);
    }
};

} // namespace parley::sched
