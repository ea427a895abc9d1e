// SPDX-License-Identifier: MIT
// Test-and-test-and-set, and spinning for an event: shared by every Synchronization that spins and by the
// locks that never wait long (ports' entries, heaps). A SpinWait is made only when the first try fails: it
// has a price in the kernel.
#pragma once

#include "kernel/base/result.hpp"
#include "messaging/event.hpp"

#include "platform.hpp"

namespace parley::messaging {

// Acquire pairs with the release in unlock().
inline bool try_lock(Lock& lock)
{
    return lock.word.load(std::memory_order_relaxed) == 0 &&
           lock.word.exchange(1, std::memory_order_acquire) == 0;
}

inline void unlock(Lock& lock) { lock.word.store(0, std::memory_order_release); }

// Spins until the lock is ours, or gives up because this process must end.
inline Result<void> spin_unless_killed(Lock& lock)
{
    platform::SpinWait spin;
    while (!try_lock(lock))
        if (!spin.once())
            return std::unexpected(Error::killed);
    return {};
}

// For sections so short that even a process that must end waits for them.
class ShortGuard {
public:
    explicit ShortGuard(Lock& lock) : lock_(lock)
    {
        if (try_lock(lock_))
            return;
        platform::SpinWait spin;
        while (!try_lock(lock_))
            (void)spin.once();
    }
    ~ShortGuard() { unlock(lock_); }
    ShortGuard(const ShortGuard&) = delete;
    ShortGuard& operator=(const ShortGuard&) = delete;

private:
    Lock& lock_;
};

// Acquire pairs with the release half of the sequence's increment in every signal().
inline Result<void> spin_while_unchanged(Event& event, std::uint32_t seen)
{
    if (event.sequence.load(std::memory_order_acquire) != seen)
        return {};
    platform::SpinWait spin;
    while (event.sequence.load(std::memory_order_acquire) == seen)
        if (!spin.once())
            return std::unexpected(Error::killed);
    return {};
}

} // namespace parley::messaging
