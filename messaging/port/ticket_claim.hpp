// SPDX-License-Identifier: MIT
// A queue that is claimed under a ticket lock: each sender draws a number, and waits until that number is
// served.
#pragma once

#include "messaging/port/lock_claim.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

// Both words are in one line.
class alignas(64) TicketLock {
public:
    explicit TicketLock(const PortParts&) { }
    bool is_made() const { return true; }

    // Acquire pairs with release().
    void acquire(unsigned)
    {
        const std::uint32_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
        if (served_.load(std::memory_order_acquire) == ticket)
            return;
        platform::SpinWait spin;
        while (served_.load(std::memory_order_acquire) != ticket)
            (void)spin.once();
    }
    void release(unsigned)
    {
        served_.store(served_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

private:
    Atomic<std::uint32_t> next_{0}, served_{0};
};

class TicketClaimPort final : public PacketPort<LockClaim<TicketLock>> {
public:
    static constexpr std::string_view name = "ticket-claim";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock that serves senders in their order";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
