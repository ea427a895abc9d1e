// SPDX-License-Identifier: MIT
// A queue that is claimed under a lock whose waiters sleep until it is left: a holder that has lost its
// processor gets it back sooner.
#pragma once

#include "messaging/port/lock_claim.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

// The word: free, held, or held with perhaps somebody asleep.
class alignas(64) SleepingLock {
public:
    explicit SleepingLock(const PortParts&) { }
    bool is_made() const { return true; }

    // Acquire pairs with release(). A process that must end cannot sleep, and waits for the lock all the
    // same.
    void acquire(unsigned)
    {
        std::uint32_t now = free;
        if (word_.compare_exchange_strong(now, held, std::memory_order_acquire, std::memory_order_relaxed))
            return;
        bool lives = true;
        while (word_.exchange(wanted, std::memory_order_acquire) != free)
            if (lives)
                lives = platform::block(word_, wanted);
            else
                wait_awake();
    }
    void release(unsigned)
    {
        if (word_.exchange(free, std::memory_order_release) == wanted)
            (void)platform::wake(word_, 1);
    }

private:
    static constexpr std::uint32_t free = 0, held = 1, wanted = 2;

    void wait_awake()
    {
        platform::SpinWait spin;
        while (word_.load(std::memory_order_relaxed) != free)
            (void)spin.once();
    }

    Atomic<std::uint32_t> word_{0};
};

class PreemptionSafePort final : public PacketPort<LockClaim<SleepingLock>> {
public:
    static constexpr std::string_view name = "preemption-safe";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock whose waiters give their processor up";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
