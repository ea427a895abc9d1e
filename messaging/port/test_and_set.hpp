// SPDX-License-Identifier: MIT
// A queue that is claimed under a lock whose word every waiter sets again and again, until it was not set
// before: its line moves all the time.
#pragma once

#include "messaging/port/lock_claim.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

// Waiters write the word at every try.
class alignas(64) TestAndSetLock {
public:
    explicit TestAndSetLock(const PortParts&) { }
    bool is_made() const { return true; }

    // Acquire pairs with release().
    void acquire(unsigned)
    {
        if (word_.exchange(1, std::memory_order_acquire) == 0)
            return;
        platform::SpinWait spin;
        while (word_.exchange(1, std::memory_order_acquire) != 0)
            (void)spin.once();
    }
    void release(unsigned) { word_.store(0, std::memory_order_release); }

private:
    Atomic<std::uint32_t> word_{0};
};

class TestAndSetPort final : public PacketPort<LockClaim<TestAndSetLock>> {
public:
    static constexpr std::string_view name = "test-and-set";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock that waiters set again and again";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
