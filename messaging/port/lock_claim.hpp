// SPDX-License-Identifier: MIT
// A claim of places in a queue of packets under a lock: senders look whether the next packet is free, and the
// next block for a long message, and go on to the ones behind them. The lock is not held while a packet is
// filled, where a sender may end. The ports whose places are claimed so differ in the lock.
//   claim   S1 lock  S2 are the next packet and block free? the tails go on  S3 unlock
// The packet is free by the queue's limit, or by its word. Lumetta's senders say in its word that they have
// claimed it (6.3.2), so that nobody claims it in the next round of the queue. Here the word has the number
// of its visit, which does that, so it is written once, when the packet is filled: a receiver that looks all
// the time would take the line of the packet between the two. Who has claimed a packet notes its number in a
// line of its own, where whoever ends it finds that.
#pragma once

#include "messaging/port/assignments.hpp"
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
        : queue_(queue), lock_(parts), claimants_(parts), yield_(values[2])
    {
    }

    bool is_made() const { return lock_.is_made() && claimants_.is_made(); }

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
    // Relaxed: only whoever has ended the caller reads the note, and one that is still there when its packet
    // is filled does no harm, for the packet's word says that (leave()).
    void finish(unsigned caller, const ClaimedPlaces&)
    {
        claimants_[caller].packet.store(Assignments::none, std::memory_order_relaxed);
    }

    bool is_lost(std::uint64_t) const { return false; }
    bool may_be_lost() const { return false; }
    // A block is claimed with a packet that its sender fills at once, so nobody ends with one.
    bool leave(unsigned caller)
    {
        const std::uint64_t note =
            claimants_[caller].packet.exchange(Assignments::none, std::memory_order_relaxed);
        return Assignments::phase(note) == Assignments::assigned &&
               queue_.empty(caller, Assignments::number(note));
    }

private:
    std::optional<ClaimedPlaces> claim_once(unsigned caller, bool with_block)
    {
        std::optional<ClaimedPlaces> places;
        lock_.acquire(caller); // S1
        queue_.packets().fetch(tails_.packet);
        if ((queue_.is_within_limit(tails_.packet) || is_next_free(queue_.packets(), tails_.packet)) &&
            (!with_block || is_next_free(queue_.blocks(), tails_.block))) { // S2
            claimants_[caller].packet.store(Assignments::note_of(tails_.packet, Assignments::assigned),
                                            std::memory_order_relaxed);
            places = ClaimedPlaces{tails_.packet++, std::nullopt};
            if (with_block)
                places->block = tails_.block++;
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

    PacketQueue& queue_;
    Lock lock_; // in lines of its own
    const Claimants claimants_;
    const std::uint64_t yield_;
    struct alignas(64) {
        std::uint64_t packet = 0, block = 0;
    } tails_; // guarded by lock_
};

} // namespace parley::messaging
