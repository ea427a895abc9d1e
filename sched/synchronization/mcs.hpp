// SPDX-License-Identifier: MIT
// A queue lock after Mellor-Crummey and Scott, in the form of K42: each waiter spins on a word of its own,
// and a party's place in the queue is free again as soon as it has the lock. The lock's word is 0 free, 1
// held and nobody waits, else the last waiter's number + 2. Its state names the first waiter, whom the holder
// serves next.
//   contend  C1 become the last   C2 link behind the one before, or be the first   C3 wait for one's turn
//            C4 who comes next is the first; or nobody waits any more
//   hand_on  H1 wait for the first to be named (its C2)   H2 tell it
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

    // A party in the queue cannot leave it: one that must end waits for its turn all the same, and passes
    // the lock on.
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
        // C2: release pairs with H1 and C4, whose finder goes on to write to our place.
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
    // C1: a free lock is taken, else `self` is the last who waits. Release pairs with the acquire of who
    // comes next and writes to our place; acquire also with whoever left a free lock. The word before.
    static std::uint32_t join(Lock& lock, std::uint32_t self)
    {
        std::uint32_t word = lock.word.load(std::memory_order_relaxed);
        while (!lock.word.compare_exchange_weak(word, word == 0 ? 1 : self, std::memory_order_acq_rel,
                                                std::memory_order_relaxed)) { }
        return word;
    }

    // C4: from now on our place in the queue is not looked at any more. `first` is cleared before the word
    // tells that nobody waits, because the party that comes after that writes it.
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
