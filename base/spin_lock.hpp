// SPDX-License-Identifier: MIT
// The kernel's lock: test-and-test-and-set with a pause (paper section 3.1, Spinlock). The kernel runs
// with interrupts off while it holds one, so no holder is ever preempted and waits are short. It must not
// be used for waits of unknown length. On Linux a holder may be preempted, and a pause may give the processor
// away (native/library/pause.hpp).
#pragma once

#include "base/architecture.hpp"
#include "base/atomic.hpp"
#include "base/processor_time_points.hpp"
#include "base/thread_safety.hpp"

namespace parley {

class CAPABILITY("lock") SpinLock {
public:
    SpinLock() = default;
    SpinLock(const SpinLock&) = delete;

    void acquire() ACQUIRE()
    {
        take();
        processor_time::lock_taken();
    }
    void release() RELEASE()
    {
        word_.store(0, std::memory_order_release);
        processor_time::lock_left();
    }

private:
    void take()
    {
        processor_time::LockWait wait;
        // Acquire pairs with the release store in release(): what the last holder wrote is seen.
        while (word_.exchange(1, std::memory_order_acquire) != 0) {
            wait.begin();
            while (word_.load(std::memory_order_relaxed) != 0)
                arch::pause();
        }
    }

    Atomic<std::uint32_t> word_{0};
};

// Holds a lock for a scope.
class SCOPED_CAPABILITY LockGuard {
public:
    explicit LockGuard(SpinLock& lock) ACQUIRE(lock) : lock_(lock) { lock_.acquire(); }
    ~LockGuard() RELEASE() { lock_.release(); }
    LockGuard(const LockGuard&) = delete;

private:
    SpinLock& lock_;
};

} // namespace parley
