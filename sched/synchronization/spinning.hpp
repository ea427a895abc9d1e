// SPDX-License-Identifier: MIT
// Spinning, as every Synchronization that spins does it, and the short lock for sections in which nobody
// waits for long (entries of ports, heaps). The short lock is test-and-test-and-set under every
// Synchronization. A SpinWait is made only when the first try fails, because making one costs time in the
// kernel.
#pragma once

#include "assertion.hpp"
#include "base/result.hpp"
#include "base/thread_safety.hpp"
#include "sched/synchronization/event.hpp"

#include "platform.hpp"

namespace parley::sched {

class CAPABILITY("lock") ShortLock {
public:
    // Acquire pairs with the release in unlock().
    bool try_lock() TRY_ACQUIRE(true)
    {
        return word_.load(std::memory_order_relaxed) == 0 &&
               word_.exchange(1, std::memory_order_acquire) == 0;
    }
    void unlock() RELEASE()
    {
        assert_that([&] { return word_.load(std::memory_order_relaxed) != 0; });
        word_.store(0, std::memory_order_release);
    }

private:
    Atomic<std::uint32_t> word_{0};
};

// A process that must end waits for the lock, too.
class SCOPED_CAPABILITY ShortGuard {
public:
    explicit ShortGuard(ShortLock& lock) ACQUIRE(lock) : lock_(lock)
    {
        if (lock_.try_lock())
            return;
        platform::SpinWait spin;
        while (!lock_.try_lock())
            (void)spin.once();
    }
    ~ShortGuard() RELEASE() { lock_.unlock(); }
    ShortGuard(const ShortGuard&) = delete;
    ShortGuard& operator=(const ShortGuard&) = delete;

private:
    ShortLock& lock_;
};

// Acquire pairs with the release half of the sequence's increment in every signal(). Errors: killed.
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

} // namespace parley::sched
