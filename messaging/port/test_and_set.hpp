// SPDX-License-Identifier: MIT
// A queue that is claimed under a lock whose word every waiter sets again and again, until it was not set
// before: its line moves all the time.
#pragma once

#include "messaging/port/locked_queue.hpp"

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

class TestAndSetPort final : public Port {
public:
    static constexpr std::string_view name = "test-and-set";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock that waiters set again and again";
    static constexpr LeafArgument arguments[] = {packets_argument, blocks_argument, yield_argument};
    static constexpr LeafValues smallest = {16, 2, 0};

    TestAndSetPort(const PortParts& parts, const LeafValues& values) : queue_(parts, values) { }

    bool is_made() const { return queue_.is_made(); }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        return queue_.put(caller, envelope, memory);
    }
    Taken take(MailboxHeld held, unsigned looks) override { return queue_.take(held, looks); }
    bool is_under_way() const override { return queue_.is_under_way(); }

private:
    LockedQueue<TestAndSetLock> queue_;
};

} // namespace parley::messaging
