// SPDX-License-Identifier: MIT
// A queue lock after Mellor-Crummey and Scott, in the form of K42: each waiter spins on a word of its own,
// and that word is unused again as soon as its party has the lock. The lock's word is 0 when it is free, 1
// when it is held and nobody waits, and otherwise the last waiter's number + 2. The lock's state names the
// first waiter, which gets the lock next.
//   contend  C1 become the last   C2 link after the one before, or be the first   C3 wait for the lock
//            C4 the next waiter becomes the first; or nobody waits any longer
//   hand_on  H1 wait until the first is named (its C2)   H2 give it the lock
#pragma once

#include "sched/synchronization/spinning.hpp"
#include "sched/synchronization/synchronization.hpp"

#include <string_view>

namespace parley::sched {

class McsSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "mcs";
    static constexpr std::string_view promise =
        "as ticket, and each waiting process looks at a cache line of its own";
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = true;

    struct LockState {
        Atomic<std::uint32_t> first{0}; // waiter; as all names here a party's number + 2, or 0
    };
    struct alignas(64) PartyState {
        Atomic<std::uint32_t> next{0};
        Atomic<std::uint32_t> has_turn{0};
    };

    // A party in the queue cannot leave it: one that must end waits for the lock all the same, and hands
    // it on.
    Result<void> contend(Lock& lock, Party& party) override
    {
        auto& own = party.state_as<PartyState>();
        auto& first = lock.state_as<LockState>().first;
        const std::uint32_t self = party.number() + 2;
        own.next.store(0, std::memory_order_relaxed);
        own.has_turn.store(0, std::memory_order_relaxed);
        const std::uint32_t before = join(lock, self);
        if (before == 0)
            return {};
        // C2: release pairs with H1 and C4, which find our PartyState and then write to it.
        auto& link = before == 1 ? first : party.state_of<PartyState>(before - 2).next;
        link.store(self, std::memory_order_release);
        const bool lives = wait_until_not_zero(own.has_turn); // C3: pairs with H2
        name_next(lock, first, own, self);
        if (lives)
            return {};
        if (!lock.leave_unwanted())
            hand_on(lock, party);
        return std::unexpected(Error::killed);
    }

    void hand_on(Lock& lock, Party& party) override
    {
        auto& first = lock.state_as<LockState>().first;
        (void)wait_until_not_zero(first); // H1: it is between its C1 and its C2
        const std::uint32_t next = first.load(std::memory_order_acquire);
        party.state_of<PartyState>(next - 2).has_turn.store(1, std::memory_order_release); // H2
    }

    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }
    void wake(Event&) override { } // nobody sleeps

private:
    // C1: takes a free lock, or else makes `self` the last waiter. Release pairs with the acquire of the
    // next waiter, which writes to our PartyState; acquire also pairs with the release of the lock.
    // Answers the word as it was before.
    static std::uint32_t join(Lock& lock, std::uint32_t self)
    {
        std::uint32_t word = lock.word.load(std::memory_order_relaxed);
        while (!lock.word.compare_exchange_weak(word, word == 0 ? 1 : self, std::memory_order_acq_rel,
                                                std::memory_order_relaxed)) { }
        return word;
    }

    // C4: nobody uses our PartyState from here on. `first` is cleared before the word says that nobody waits,
    // because the next party that comes after that writes `first`.
    static void name_next(Lock& lock, Atomic<std::uint32_t>& first, PartyState& own, std::uint32_t self)
    {
        std::uint32_t next = own.next.load(std::memory_order_acquire);
        if (next == 0) {
            first.store(0, std::memory_order_relaxed);
            std::uint32_t last = self;
            if (lock.word.compare_exchange_strong(last, 1, std::memory_order_acq_rel,
                                                  std::memory_order_relaxed))
                return;
            (void)wait_until_not_zero(own.next); // somebody is between its C1 and its C2
            next = own.next.load(std::memory_order_acquire);
        }
        first.store(next, std::memory_order_relaxed); // read by us, or by a holder after us
    }

    // False when the process must end.
    static bool wait_until_not_zero(Atomic<std::uint32_t>& word)
    {
        if (word.load(std::memory_order_acquire) != 0)
            return true;
        bool lives = true;
        platform::SpinWait spin;
        while (word.load(std::memory_order_acquire) == 0)
            lives = spin.once();
        return lives;
    }
};

} // namespace parley::sched
