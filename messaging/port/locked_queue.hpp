// SPDX-License-Identifier: MIT
// A queue of packets and blocks (packet_queue.hpp) whose senders claim under a lock: they look whether the
// next packet is free, and the next block for a long message, and go on to the ones behind them. The lock is
// not held while a packet is filled, where a sender may end. The ports that are such queues differ in the
// lock.
//   claim   S1 lock  S2 are the next packet and block free? they are claimed  S3 unlock
#pragma once

#include "messaging/port/packet_queue.hpp"

namespace parley::messaging {

// A Lock is made from PortParts. It has acquire(caller) and release(caller), which bring what its holders do
// into an order. A process never ends between the two (port.hpp).
template <class Lock>
class LockedQueuePort : public Port {
public:
    using ClaimLock = Lock;

    static constexpr LeafArgument arguments[] = {packets_argument, blocks_argument, yield_argument};
    static constexpr LeafValues smallest = {16, 2, 0};

    LockedQueuePort(const PortParts& parts, const LeafValues& values)
        : queue_(parts, values), lock_(parts), yield_(values[2])
    {
    }

    bool is_made() const { return queue_.is_made() && lock_.is_made(); }

    std::uint32_t room() const final { return PacketQueue::room; }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) final
    {
        const bool is_long = memory != nullptr && PacketQueue::is_long(envelope);
        std::uint64_t packet = 0, block = 0;
        const Put put =
            claim_in_time(caller, packet, is_long ? &block : nullptr)
                ? queue_.fill(caller, packet, envelope, memory, is_long ? std::optional(block) : std::nullopt)
                : Put::full;
        if (put != Put::in && memory != nullptr) [[unlikely]]
            (void)memory->open(envelope);
        return put == Put::in;
    }
    Put put_bytes(unsigned caller, Envelope envelope, const Source& source) final
    {
        return put_from(caller, envelope, source);
    }
    // Does the same with a source whose class is known.
    template <class S>
    Put put_bytes(unsigned caller, Envelope envelope, const S& source)
    {
        return put_from(caller, envelope, source);
    }

    Taken take(MailboxHeld held, unsigned looks) final
    {
        return queue_.take(held, looks, [](std::uint64_t) { return false; });
    }
    Watched watched(MailboxHeld) const final { return queue_.watched(false); }
    Sight sight() const final { return queue_.sight(false); }
    Message* hold(MailboxHeld held, const Taken& taken) final { return queue_.hold(held, taken); }
    void release(const Taken& taken) final { queue_.release(taken); }

    bool leave(unsigned caller) final { return queue_.empty_claimed(caller); }

protected:
    ~LockedQueuePort() = default;

private:
    template <class S>
    Put put_from(unsigned caller, const Envelope& envelope, const S& source)
    {
        std::uint64_t packet = 0;
        return claim_in_time(caller, packet, nullptr) ? queue_.fill_whole(caller, packet, envelope, source)
                                                      : Put::full;
    }
    // False: they have not become free.
    bool claim_in_time(unsigned caller, std::uint64_t& packet, std::uint64_t* block)
    {
        BackOff back_off(yield_);
        while (!claim(caller, packet, block)) [[unlikely]]
            if (!back_off.once())
                return false;
        return true;
    }
    bool claim(unsigned caller, std::uint64_t& packet, std::uint64_t* block)
    {
        lock_.acquire(caller); // S1
        packet = tails_.packet;
        queue_.packets().fetch(packet);
        bool is_free = is_next_free(queue_.packets(), packet);
        if (block != nullptr) {
            *block = tails_.block;
            is_free = is_free && is_next_free(queue_.blocks(), *block);
        }
        if (is_free) { // S2
            claim_next(queue_.packets(), tails_.packet, caller);
            if (block != nullptr)
                claim_next(queue_.blocks(), tails_.block, caller);
        }
        lock_.release(caller); // S3
        return is_free;
    }
    // Acquire pairs with the release of whoever has freed it.
    template <class Slot>
    static bool is_next_free(SlotRing<Slot>& ring, std::uint64_t number)
    {
        return ring.at(number).word.load(std::memory_order_acquire) == ring.free_word(number);
    }
    template <class Slot>
    static void claim_next(SlotRing<Slot>& ring, std::uint64_t& tail, unsigned caller)
    {
        ring.at(tail).word.store(slot::word(ring.visit(tail), slot::claimed, caller),
                                 std::memory_order_relaxed);
        ++tail;
    }

    PacketQueue queue_;
    Lock lock_; // in lines of its own
    const std::uint64_t yield_;
    struct alignas(64) {
        std::uint64_t packet = 0, block = 0;
    } tails_; // guarded by lock_
};

} // namespace parley::messaging
