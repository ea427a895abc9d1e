// SPDX-License-Identifier: MIT
// Factor "synchronization": how does a party wait? All waiting for locks and events is done here, and
// nothing here knows what the party waits for. A lock that nobody else wants and an event that nobody
// sleeps on need no waiting: Lock::acquire(), Lock::release() and signal() are the same for all leaves and
// make no virtual call.
//
// A leaf states
//   name, promise      as users write it, and a phrase that says what is (not) promised
//   spins              a party that waits keeps the processor
//   looks_first        a party that waits looks for some microseconds before anything else (default: the
//                      value of spins)
//   marks_waiters      the word of a lock that somebody waits for is not 1, and hand_on() leaves the lock;
//                      otherwise the lock is just set free
//   LockState          the state of each lock, and of each party (default: nothing). They lie in memory that
//   PartyState         all parties share at the same address, are made by the default constructor and are
//                      never destroyed; the Lock and the Party give access to them.
// The contract of the platform says what a leaf may do while it waits (base/platform_contract.hpp).
#pragma once

#include "base/result.hpp"
#include "sched/synchronization/event.hpp"
#include "sched/synchronization/lock.hpp"

namespace parley::sched {

class Synchronization {
public:
    struct Nothing { };
    using LockState = Nothing;
    using PartyState = Nothing;

    // The lock was not free when the caller, whose party this is, tried to take it. The caller waits until it
    // holds the lock. Errors: killed; the caller then does not hold the lock, and nobody waits for it.
    virtual Result<void> contend(Lock& lock, Party& party) = 0;
    // The caller, whose party this is, holds a lock whose word is not 1, and leaves it. If the lock is
    // handed on, release here pairs with acquire of the next holder. It never waits for long.
    virtual void hand_on(Lock& lock, Party& party) = 0;
    // Returns when event.sequence is no longer `seen`, and may return earlier without a cause. Errors:
    // killed.
    virtual Result<void> wait(Event& event, std::uint32_t seen) = 0;
    // The event's sequence has changed, and somebody sleeps on it.
    virtual void wake(Event& event) = 0;

protected:
    ~Synchronization() = default;
};

// Sequentially consistent: users rely on the increment to order what they have written before it against
// what the waiter announces before it looks.
template <class S>
[[gnu::always_inline]] inline void signal(S& synchronization, Event& event)
{
    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (event.sleeping() != 0) [[unlikely]]
        synchronization.wake(event);
}

} // namespace parley::sched
