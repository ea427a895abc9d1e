// SPDX-License-Identifier: MIT
// Factor "synchronization": how does a party wait? All waiting of the message system passes through here; a
// wait ends with Error::killed when its process must end, and then nothing is held. A lock that nobody else
// wants and an event that nobody sleeps on need no waiting: those are the functions below, the same for all
// and without a virtual call. Leaves state: `spins` (who waits keeps the processor), `marks_waiters` (a lock
// that somebody waits for does not read 1, and is left by hand_on; else it is just set free).
#pragma once

#include "kernel/base/result.hpp"
#include "messaging/event.hpp"

namespace parley::messaging {

class Synchronization {
public:
    // The lock was not free when it was tried: wait until it is the caller's.
    virtual Result<void> contend(Lock& lock) = 0;
    // The caller leaves a lock that does not read 1.
    virtual void hand_on(Lock& lock) = 0;
    // Returns when event.sequence is no longer `seen`; may return earlier without a cause.
    virtual Result<void> wait(Event& event, std::uint32_t seen) = 0;
    // The event's sequence has moved, and somebody sleeps.
    virtual void wake(Event& event) = 0;

protected:
    ~Synchronization() = default;
};

template <class S>
[[gnu::always_inline]] inline Result<void> acquire(S& synchronization, Lock& lock)
{
    if (lock.take_free()) [[likely]]
        return {};
    return synchronization.contend(lock);
}

// Release pairs with take_free() and contend().
template <class S>
[[gnu::always_inline]] inline void release(S& synchronization, Lock& lock, bool marks_waiters)
{
    if (!marks_waiters)
        lock.set_free();
    else if (!lock.leave_unwanted()) [[unlikely]]
        synchronization.hand_on(lock);
}

// Ended endpoints rely on the increment as well (Arrival::mind).
template <class S>
[[gnu::always_inline]] inline void signal(S& synchronization, Event& event)
{
    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (event.sleeping() != 0) [[unlikely]]
        synchronization.wake(event);
}

} // namespace parley::messaging
