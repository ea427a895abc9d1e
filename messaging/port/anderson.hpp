// SPDX-License-Identifier: MIT
// A queue that is claimed under Anderson's lock: each sender draws a slot, and waits until the sender before
// it has passed the lock on to that slot.
#pragma once

#include "messaging/port/lock_claim.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

// As many slots as processes, each in a line of its own.
class alignas(64) AndersonLock {
public:
    explicit AndersonLock(const PortParts& parts)
    {
        is_made_ = slots_.make(parts, std::bit_ceil(std::uint64_t{parts.endpoints}));
        if (is_made_)
            slots_.at(0).is_here.store(1, std::memory_order_relaxed);
    }
    bool is_made() const { return is_made_; }

    // Acquire pairs with release(). A slot is drawn again when as many numbers have been drawn as there are
    // slots, and whoever draws it must see that release() has cleared it. By then the party that cleared it
    // has drawn another number, or one has that held the lock after it: the release of that draw pairs with
    // the acquire of this one.
    void acquire(unsigned)
    {
        const std::uint64_t number = next_.fetch_add(1, std::memory_order_acq_rel);
        Atomic<std::uint32_t>& is_here = slots_.at(number).is_here;
        if (is_here.load(std::memory_order_acquire) == 0) {
            platform::SpinWait spin;
            while (is_here.load(std::memory_order_acquire) == 0)
                (void)spin.once();
        }
        held_ = number;
    }
    void release(unsigned)
    {
        const std::uint64_t number = held_;
        slots_.at(number).is_here.store(0, std::memory_order_relaxed);
        slots_.at(number + 1).is_here.store(1, std::memory_order_release);
    }

private:
    struct alignas(64) Slot {
        Atomic<std::uint32_t> is_here{0};
    };

    SlotRing<Slot> slots_;
    bool is_made_ = false;
    alignas(64) Atomic<std::uint64_t> next_{0};
    alignas(64) std::uint64_t held_ = 0; // the slot of whoever holds the lock, which alone uses this
};

class AndersonPort final : public PacketPort<LockClaim<AndersonLock>> {
public:
    static constexpr std::string_view name = "anderson";
    static constexpr std::string_view promise =
        "fifo's queue, claimed under a lock whose waiters read a line of their own each";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
