// SPDX-License-Identifier: MIT
// Parties spin, and a lock serves them in the order in which they came: the lower half of its word is the
// next ticket, the upper half is the ticket that is served. If both are the same the lock is free, and its
// word is 0 as soon as nobody wants it.
#pragma once

#include "sched/synchronization/spinning.hpp"
#include "sched/synchronization/synchronization.hpp"

#include <string_view>

namespace parley::sched {

class TicketSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "ticket";
    static constexpr std::string_view promise =
        "as spinlock, and a lock is handed on in the order of requests";
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = true;

    // A ticket cannot be given back: a process that must end waits for its ticket all the same, and leaves
    // the lock to the next.
    Result<void> contend(Lock& lock, Party& party) override
    {
        const std::uint32_t ticket = draw(lock);
        if (served(lock) == ticket)
            return {};
        bool lives = true;
        {
            platform::SpinWait spin;
            while (served(lock) != ticket)
                lives = spin.once();
        }
        if (lives)
            return {};
        hand_on(lock, party);
        return std::unexpected(Error::killed);
    }

    void hand_on(Lock& lock, Party&) override
    {
        std::uint32_t word = lock.word.load(std::memory_order_relaxed);
        std::uint32_t next = 0;
        do {
            next = word + one_served;
            if (next % one_served == next / one_served)
                next = 0;
        } while (!lock.word.compare_exchange_weak(word, next, std::memory_order_release,
                                                  std::memory_order_relaxed)); // pairs with served()
    }

    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }
    void wake(Event&) override { } // nobody sleeps

private:
    static constexpr std::uint32_t one_served = 0x10000; // and as many tickets there are, before they repeat

    // The lower half is incremented alone, so that it never overflows into the upper half.
    static std::uint32_t draw(Lock& lock)
    {
        std::uint32_t word = lock.word.load(std::memory_order_relaxed);
        std::uint32_t next = 0;
        do {
            next = word / one_served * one_served + (word + 1) % one_served;
        } while (!lock.word.compare_exchange_weak(word, next, std::memory_order_relaxed));
        return word % one_served;
    }

    static std::uint32_t served(Lock& lock)
    {
        return lock.word.load(std::memory_order_acquire) / one_served; // pairs with hand_on()
    }
};

} // namespace parley::sched
