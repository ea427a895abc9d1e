// SPDX-License-Identifier: MIT
// A claim of places in a queue of packets under a lock: senders look whether the next packet is free, and the
// next block for a long message, and go on to the ones behind them. The lock is not held while a packet is
// filled, where a sender may end. The ports whose places are claimed so differ in the lock.
//   claim   S1 lock  S2 are the next packet and block free? they are claimed  S3 unlock
// The packet is free by the queue's limit, or by its word.
#pragma once

#include "messaging/port/packet_port.hpp"

namespace parley::messaging {

// A Lock is made from PortParts. It has acquire(caller) and release(caller), which bring what its holders do
// into an order. A process never ends between the two (port.hpp).
template <class L>
class LockClaim {
public:
    using Lock = L;

    static constexpr LeafArgument arguments[] = {packets_argument, blocks_argument, yield_argument};
    static constexpr LeafValues smallest = {16, 2, 0};

    LockClaim(PacketQueue& queue, const PortParts& parts, const LeafValues& values)
        : queue_(queue), lock_(parts), yield_(values[2])
    {
    }

    bool is_made() const { return lock_.is_made(); }

    std::optional<ClaimedPlaces> claim(unsigned caller, bool with_block)
    {
        BackOff back_off(yield_);
        for (;;) {
            if (const std::optional<ClaimedPlaces> places = claim_once(caller, with_block)) [[likely]]
                return places;
            if (!back_off.once())
                return std::nullopt;
        }
    }
    void finish(unsigned, const ClaimedPlaces&) { }

    bool is_lost(std::uint64_t) const { return false; }
    bool may_be_lost() const { return false; }
    bool leave(unsigned caller) { return queue_.empty_claimed(caller); }

private:
    std::optional<ClaimedPlaces> claim_once(unsigned caller, bool with_block)
    {
        std::optional<ClaimedPlaces> places;
        lock_.acquire(caller); // S1
        queue_.packets().fetch(tails_.packet);
        if ((queue_.is_within_limit(tails_.packet) || is_next_free(queue_.packets(), tails_.packet)) &&
            (!with_block || is_next_free(queue_.blocks(), tails_.block))) { // S2
            places = ClaimedPlaces{claim_next(queue_.packets(), tails_.packet, caller), std::nullopt};
            if (with_block)
                places->block = claim_next(queue_.blocks(), tails_.block, caller);
        }
        lock_.release(caller); // S3
        return places;
    }
    // Acquire pairs with the release of whoever has freed it.
    template <class Slot>
    static bool is_next_free(SlotRing<Slot>& ring, std::uint64_t number)
    {
        return ring.at(number).word.load(std::memory_order_acquire) == ring.free_word(number);
    }
    template <class Slot>
    static std::uint64_t claim_next(SlotRing<Slot>& ring, std::uint64_t& tail, unsigned caller)
    {
        ring.at(tail).word.store(slot::word(ring.visit(tail), slot::claimed, caller),
                                 std::memory_order_relaxed);
        return tail++;
    }

    PacketQueue& queue_;
    Lock lock_; // in lines of its own
    const std::uint64_t yield_;
    struct alignas(64) {
        std::uint64_t packet = 0, block = 0;
    } tails_; // guarded by lock_
};

} // namespace parley::messaging
