// SPDX-License-Identifier: MIT
// The ring of packets and blocks of a queue of many senders (packet.hpp), and its receiver's side. How a
// sender claims a packet is what ports that have such a queue differ in. Packets are numbered from 0 on:
// number n is visit n / packets of the packet n % packets, and so are blocks.
//   put    S1 claim a block, for a long message  S2 claim a packet   S3 fill it, and say that it is ready
//   take   R1 is the next packet ready? read it  R2 free its block, and it  R3 go on to the next
// The taker may end between any two steps. Where it has freed a packet (R2) and not gone on, the next taker
// sees that the packet's visit is the next one already, and does R3.
#pragma once

#include "assertion.hpp"
#include "base/leaf_argument.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port/packet.hpp"
#include "messaging/port_memory.hpp"

#include <bit>
#include <new>
#include <optional>

#include "platform.hpp"

namespace parley::messaging {

// What every such port is told; those that fetch and increment are told how, as well.
inline constexpr LeafArgument packets_argument{
    "packets",
    "messages in the queue; fewer if they would have more than a quarter of the job's budget",
    units::power_of_two,
    16,
    65'536,
    4'096};
inline constexpr LeafArgument blocks_argument{
    "blocks", "messages of more than 100 bytes among them", units::power_of_two, 1, 4'096, 16};
inline constexpr LeafArgument yield_argument{
    "yield",       "pauses, in doublings, before a sender whose packet is not free makes room by itself",
    units::number, 0,
    8'191,         255};

// The pauses of a sender whose slot is not free: 1, 2, 4 ... as long as all of them are within the limit.
class BackOff {
public:
    explicit BackOff(std::uint64_t limit) : left_(limit) { }

    // Pauses. False: it would be more than the limit.
    bool once()
    {
        if (next_ > left_)
            return false;
        for (std::uint64_t pauses = next_; pauses > 0; --pauses)
            platform::pause();
        left_ -= next_;
        next_ *= 2;
        return true;
    }

private:
    std::uint64_t left_, next_ = 1;
};

// Slots that are used one after the other, again and again.
template <class Slot>
class SlotRing {
public:
    // Makes the slots, as many as a power of two says. Called once. False: there is no memory.
    bool make(const PortParts& parts, std::uint64_t count)
    {
        const Result<std::byte*> block = parts.allocate(count * sizeof(Slot));
        if (!block)
            return false;
        shift_ = static_cast<unsigned>(std::countr_zero(count));
        slots_ = reinterpret_cast<Slot*>(*block);
        for (std::uint64_t index = 0; index < count; ++index)
            new (slots_ + index) Slot;
        return true;
    }

    std::uint64_t count() const { return std::uint64_t{1} << shift_; }
    std::uint64_t index_bits() const { return count() - 1; }
    std::uint64_t visit(std::uint64_t number) const { return number >> shift_; }
    std::uint64_t number(std::uint64_t visit, std::uint64_t index) const { return visit << shift_ | index; }
    Slot& at(std::uint64_t number) { return slots_[number & index_bits()]; }
    const Slot& at(std::uint64_t number) const { return slots_[number & index_bits()]; }
    // Its word when nobody has claimed it in that number's visit.
    std::uint64_t free_word(std::uint64_t number) const { return slot::word(visit(number), slot::free); }
    // It is free again. Pairs with the acquire of the next who claims it.
    void free(std::uint64_t number)
    {
        at(number).word.store(slot::word(visit(number) + 1, slot::free), std::memory_order_release);
    }

private:
    Slot* slots_ = nullptr;
    unsigned shift_ = 0;
};

class PacketQueue {
public:
    static constexpr std::uint64_t fewest_packets = 16;

    PacketQueue(const PortParts& parts, const LeafValues& values)
        : is_made_(packets_.make(parts, affordable(parts, values[0])) && blocks_.make(parts, values[1]))
    {
    }

    // False: the job's budget has no memory for it, and nobody may use it.
    bool is_made() const { return is_made_; }

    SlotRing<QueuedPacket>& packets() { return packets_; }
    SlotRing<Block>& blocks() { return blocks_; }

    // Whether such a message claims a block.
    static bool is_long(const Envelope& envelope) { return envelope.length() > Message::short_bytes; }
    // The sender's message is not in.
    static bool refuse(const Envelope& envelope, MessageMemory* memory)
    {
        (void)memory->open(envelope);
        return false;
    }

    // S3: the caller has claimed the packet of that number, and the block of the other one, or none.
    void fill(unsigned caller, std::uint64_t number, const Envelope& envelope, MessageMemory* memory,
              std::optional<std::uint64_t> block)
    {
        QueuedPacket& packet = packets_.at(number);
        const std::uint64_t visit = packets_.visit(number);
        assert_that(
            [&] { return slot::may_fill(packet.word.load(std::memory_order_relaxed), visit, caller); });
        packet.envelope = envelope;
        packet.memory = memory;
        if (block) {
            packet.block = *block;
            Block& claimed = blocks_.at(*block);
            claimed.size = envelope.length();
            claimed.word.store(slot::word(blocks_.visit(*block), slot::ready, caller),
                               std::memory_order_relaxed);
        }
        // Pairs with R1.
        packet.word.store(slot::word(visit, block ? slot::ready_with_block : slot::ready, caller),
                          std::memory_order_release);
    }

    // As Port::take(). `is_lost(number)`: whether nobody will ever fill the free packet of that number.
    template <class IsLost>
    Taken take(MailboxHeld, unsigned looks, const IsLost& is_lost)
    {
        for (;;) {
            const std::uint64_t number = head_;
            QueuedPacket& packet = packets_.at(number);
            const std::uint64_t word = packet.word.load(std::memory_order_acquire); // R1
            const slot::SlotState state = slot::state(word);
            if (slot::visit(word) != packets_.visit(number)) [[unlikely]] {
                head_ = number + 1;
            } else if (state >= slot::ready) {
                taken_ = packet.envelope;
                MessageMemory* const memory = packet.memory;
                if (state == slot::ready_with_block)
                    free_block(packet.block);
                packets_.free(number); // R2
                head_ = number + 1;    // R3
                if (state != slot::empty)
                    return {taken_, memory};
            } else if (state == slot::free && is_lost(number) && pass(packet, number)) {
                head_ = number + 1;
            } else {
                if (looks-- == 0)
                    return {};
                platform::between_looks();
            }
        }
    }
    // Whether the packet that is taken next has been claimed. The caller holds the mailbox's lock. The
    // compiler cannot hold that: Port::is_under_way() is this, and senders call it of other ports without the
    // lock.
    bool is_next_claimed() const
    {
        const std::uint64_t word = packets_.at(head_).word.load(std::memory_order_acquire);
        return slot::visit(word) != packets_.visit(head_) || slot::state(word) != slot::free;
    }
    // The number of the packet that is taken next.
    std::uint64_t head() const { return head_; }

private:
    // As many packets as are asked for, or as few as leave most of the budget to messages.
    static std::uint64_t affordable(const PortParts& parts, std::uint64_t packets)
    {
        const std::uint64_t most =
            parts.memory.units() * BuddyHeap::unit_bytes / 4 / parts.endpoints / sizeof(QueuedPacket);
        while (packets > most && packets > fewest_packets)
            packets /= 2;
        return packets;
    }

    // Does nothing when the block is free: a taker before this one may have freed it and ended.
    void free_block(std::uint64_t number)
    {
        const std::uint64_t word = blocks_.at(number).word.load(std::memory_order_relaxed);
        if (slot::visit(word) == blocks_.visit(number))
            blocks_.free(number);
    }

    // The free packet of that number is free in its next visit, unless somebody has claimed it.
    bool pass(QueuedPacket& packet, std::uint64_t number)
    {
        std::uint64_t word = packets_.free_word(number);
        return packet.word.compare_exchange_strong(word, packets_.free_word(number + packets_.count()),
                                                   std::memory_order_acq_rel, std::memory_order_relaxed);
    }

    SlotRing<QueuedPacket> packets_;
    SlotRing<Block> blocks_;
    bool is_made_;
    // Guarded by the lock of the mailbox, which the queue does not know, so that the compiler cannot hold it;
    // takers show a MailboxHeld.
    alignas(64) std::uint64_t head_ = 0;
    Envelope taken_; // its packet is a sender's again
};

} // namespace parley::messaging
