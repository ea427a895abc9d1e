// SPDX-License-Identifier: MIT
// Factor "synchronization": how does a party wait? All waiting for locks and events passes through here,
// and nothing here knows what is waited for. A lock that nobody else wants and an event that nobody sleeps on
// need no waiting: those are Lock::acquire(), Lock::release() and signal(), the same for all and without a
// virtual call.
//
// A leaf states
//   name, promise      as users write it, and a phrase that says what is (not) promised
//   spins              who waits keeps the processor
//   looks_first        who waits looks for some microseconds before anything else (default: as spins)
//   marks_waiters      a lock that somebody waits for does not read 1, and is left by hand_on(); else it is
//                      just set free
//   LockState          what each lock, and what each party keeps beside (default: nothing). They lie in
//   PartyState         memory that all parties share at the same address, are made by the default
//                      constructor and never destroyed; ask the Lock and the Party for them.
// What a leaf may do while it waits, the contract of the platform says (base/platform_contract.hpp).
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

    // The lock was not free when it was tried: wait until it is the caller's, whose party this is. Errors:
    // killed, and then the caller neither holds the lock nor is waited for by anybody.
    virtual Result<void> contend(Lock& lock, Party& party) = 0;
    // The caller leaves a lock that it holds and that does not read 1. Where it is handed on, acquire of the
    // next pairs with release here. Called by its holder, whose party this is; never waits for long.
    virtual void hand_on(Lock& lock, Party& party) = 0;
    // Returns when event.sequence is no longer `seen`; may return earlier without a cause. Errors: killed.
    virtual Result<void> wait(Event& event, std::uint32_t seen) = 0;
    // The event's sequence has moved, and somebody sleeps.
    virtual void wake(Event& event) = 0;

protected:
    ~Synchronization() = default;
};

// Sequentially consistent: users rely on the increment to order what they have written before against what
// the waiter announces before it looks.
template <class S>
[[gnu::always_inline]] inline void signal(S& synchronization, Event& event)
{
    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (event.sleeping() != 0) [[unlikely]]
        synchronization.wake(event);
}

} // namespace parley::sched
