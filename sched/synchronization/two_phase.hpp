// SPDX-License-Identifier: MIT
// Parties look for about as long as a sleep costs, then sleep: whoever waits has lost at most twice what the
// better choice would have cost (Karlin, Manasse, McGeoch and Owicki, 1994). Word and event are those of
// semaphore.
#pragma once

#include "sched/synchronization/synchronization.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::sched {

class TwoPhaseSynchronization final : public Synchronization {
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

    // The looks: acquire pairs with the release half of the sequence's increment in every signal(). The
    // sleep: sequentially consistent together with signal(), as in semaphore.
    Result<void> wait(Event& event, std::uint32_t seen_before) override
    {
        if (TRY(seen([&] { return event.sequence.load(std::memory_order_acquire) != seen_before; })))
            return {};
        Result<void> result;
        event.sleepers.fetch_add(1, std::memory_order_seq_cst);
        while (result && event.sequence.load(std::memory_order_seq_cst) == seen_before)
            if (!platform::block(event.sequence, seen_before))
                result = std::unexpected(Error::killed);
        event.sleepers.fetch_sub(1, std::memory_order_relaxed);
        return result;
    }

    void wake(Event& event) override { platform::wake(event.sequence, ~0u); }

private:
    // A pause takes some 25 ns on real processors, and a sleep with its wake some 15 microseconds.
    static constexpr unsigned looks = 600;

    // As in semaphore: it may be the one sleeper that was woken for the lock.
    static Result<void> give_up(Lock& lock)
    {
        platform::wake(lock.word, 1);
        return std::unexpected(Error::killed);
    }

    // Whether it comes true while the caller looks. Errors: killed.
    template <class Done>
    static Result<bool> seen(Done done)
    {
        platform::SpinWait spin;
        for (unsigned left = looks; left > 0; --left) {
            if (done())
                return true;
            if (!spin.once())
                return std::unexpected(Error::killed);
        }
        return false;
    }
};

} // namespace parley::sched
