// SPDX-License-Identifier: MIT
// A queue that is claimed under a lock which those who wait for it read until it is free: its line moves when
// the lock is taken and left.
#pragma once

#include "messaging/port/lock_claim.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

// Waiters read the word, and write it when they have seen it free.
class alignas(64) TestAndTestAndSetLock {
public:
    explicit TestAndTestAndSetLock(const PortParts&) { }
    bool is_made() const { return true; }

    // Acquire pairs with release().
    void acquire(unsigned)
    {
        if (word_.exchange(1, std::memory_order_acquire) == 0)
            return;
        platform::SpinWait spin;
        do {
            while (word_.load(std::memory_order_relaxed) != 0)
                (void)spin.once();
        } while (word_.exchange(1, std::memory_order_acquire) != 0);
    }
    void release(unsigned) { word_.store(0, std::memory_order_release); }

private:
    Atomic<std::uint32_t> word_{0};
};

class TestAndTestAndSetPort final : public PacketPort<LockClaim<TestAndTestAndSetLock>> {
public:
    static constexpr std::string_view name = "test-and-test-and-set";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock that waiters read until it is free";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
