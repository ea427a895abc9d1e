// SPDX-License-Identifier: MIT
// The ring of packets and blocks of a queue of many senders (packet.hpp), and its receiver's side. How a
// sender claims a packet is what ports that have such a queue differ in. Packets are numbered from 0 on:
// number n is visit n / packets of the packet n % packets, and so are blocks.
//   put    S1 claim a block, for a long message  S2 claim a packet   S3 fill it, and say that it is ready
//   take   R1 is the next packet ready? read it  R2 free its block, and it  R3 go on to the next
// The taker may end between any two steps. Where it has freed a packet (R2) and not gone on, the next taker
// sees that the packet's visit is the next one already, and does R3.
//
// A message that lies in its packet whole is held in the queue's reserve where its taker keeps it for later.
// So a sender that has claimed a packet for it asks whether there is a slot for it (S3), by a limit that
// holds for many messages. With `head` the number that is taken next, all before head - 1 are received or
// held, and that one may be about to be held; so of the numbers from there on each up to
// head - 2 + (the spare slots of the reserve then) finds a slot. A packet behind that limit is left empty,
// and its message is put again, with memory.
#pragma once

#include "assertion.hpp"
#include "base/leaf_argument.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port/packet.hpp"
#include "messaging/port/reserve.hpp"
#include "messaging/port_memory.hpp"
#include "messaging/sources.hpp"

#include <algorithm>
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
    "blocks",
    "messages of more than 100 bytes among them whose bytes have been copied",
    units::power_of_two,
    1,
    4'096,
    16};
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
    // Brings its line to this processor for writing: for a caller who reads its word and then writes there it
    // is moved once instead of twice.
    void fetch(std::uint64_t number) { __builtin_prefetch(&at(number), 1); }
    // It is free again. Pairs with the acquire of the next who claims it.
    void free(std::uint64_t number)
    {
        at(number).word.store(slot::word(visit(number) + 1, slot::free), std::memory_order_release);
    }

private:
    Slot* slots_ = nullptr;
    unsigned shift_ = 0;
};

// What a sender has claimed: the numbers of a packet, and of a block for a long message.
struct ClaimedPlaces {
    std::uint64_t packet;
    std::optional<std::uint64_t> block;
};

class PacketQueue {
public:
    static constexpr std::uint64_t fewest_packets = 16;
    static constexpr std::uint32_t room = QueuedPacket::room; // as Port::room()

    PacketQueue(const PortParts& parts, const LeafValues& values)
        : is_made_(packets_.make(parts, affordable(parts, values[0])) && blocks_.make(parts, values[1]) &&
                   reserve_.slots().make(parts, slots_beside(packets_.count())))
    {
    }

    // False: the job's budget has no memory for it, and nobody may use it.
    bool is_made() const { return is_made_; }

    SlotRing<QueuedPacket>& packets() { return packets_; }
    SlotRing<Block>& blocks() { return blocks_; }

    // Whether such a message claims a block.
    static bool is_long(const Envelope& envelope) { return envelope.length() > Message::short_bytes; }
    // S3: the caller has claimed the places. Full: the message has no memory, and the queue no slot for it;
    // then the packet is empty.
    Put fill(unsigned caller, const ClaimedPlaces& places, const Envelope& envelope, MessageMemory* memory)
    {
        if (memory == nullptr)
            return fill_whole(caller, places.packet, envelope, NoBytes());
        QueuedPacket& packet = fillable(caller, places.packet);
        packet.envelope = envelope;
        packet.set_elsewhere({memory, places.block.value_or(0)});
        if (places.block) {
            Block& claimed = blocks_.at(*places.block);
            claimed.size = envelope.length();
            claimed.word.store(slot::word(blocks_.visit(*places.block), slot::ready, caller),
                               std::memory_order_relaxed);
        }
        publish(packet, places.packet, places.block ? slot::ready_with_block : slot::ready, caller);
        return Put::in;
    }
    // Does the same with a message whose bytes a source writes into the packet of that number.
    template <class S>
    Put fill_whole(unsigned caller, std::uint64_t number, const Envelope& envelope, const S& source)
    {
        QueuedPacket& packet = fillable(caller, number);
        if (!is_within_limit(number) && number >= ask_limit()) [[unlikely]] {
            publish(packet, number, slot::empty, caller);
            return Put::full;
        }
        packet.envelope = envelope;
        if (!source.fill(packet.bytes)) [[unlikely]] {
            publish(packet, number, slot::empty, caller);
            return Put::unreadable;
        }
        publish(packet, number, slot::whole, caller);
        return Put::in;
    }
    // Whether a packet that has been drawn is free for sure, so that its sender need not look at it
    // (ask_limit()).
    bool is_within_limit(std::uint64_t number) const
    {
        return number < limit_.load(std::memory_order_acquire);
    }

    // As Port::take(). `is_lost(number)`: whether nobody will ever fill the free packet of that number.
    template <class IsLost>
    Taken take(MailboxHeld, unsigned looks, const IsLost& is_lost)
    {
        for (;;) {
            const std::uint64_t number = head();
            QueuedPacket& packet = packets_.at(number);
            const std::uint64_t word = packet.word.load(std::memory_order_acquire); // R1
            const slot::SlotState state = slot::state(word);
            if (slot::visit(word) != packets_.visit(number)) [[unlikely]] {
                go_on(number);
            } else if (state == slot::whole) {
                taken_.envelope = packet.envelope;
                __builtin_memcpy(taken_.bytes, packet.bytes, sizeof taken_.bytes);
                packets_.free(number); // R2
                go_on(number);         // R3
                return {taken_.envelope, nullptr};
            } else if (state > slot::whole) {
                taken_.envelope = packet.envelope;
                const QueuedPacket::Elsewhere where = packet.elsewhere();
                if (state == slot::ready_with_block)
                    free_block(where.block);
                packets_.free(number); // R2
                go_on(number);         // R3
                if (state != slot::empty)
                    return {taken_.envelope, where.memory};
            } else if (state == slot::free && is_lost(number) && pass(packet, number)) {
                go_on(number);
            } else {
                if (looks-- == 0)
                    return {};
                platform::between_looks();
            }
        }
    }
    // Empties the packet of that number, which the caller had for itself, unless it has filled it. The caller
    // has ended. False: it has.
    bool empty(unsigned caller, std::uint64_t number)
    {
        QueuedPacket& packet = packets_.at(number);
        if (packet.word.load(std::memory_order_acquire) != packets_.free_word(number))
            return false;
        publish(packet, number, slot::empty, caller);
        return true;
    }
    // As Port::watched(). `may_be_lost`: whether a packet may be free that nobody will ever fill.
    Port::Watched watched(bool may_be_lost) const
    {
        const std::uint64_t number = head();
        if (may_be_lost)
            return {};
        return {&packets_.at(number).word, slot::word(packets_.visit(number), slot::whole)};
    }
    // As Port::sight(). `may_be_lost`: whether a packet may be free that nobody will ever fill.
    Sight sight(bool may_be_lost) const
    {
        const std::uint64_t number = head();
        const std::uint64_t word = packets_.at(number).word.load(std::memory_order_acquire);
        if (slot::visit(word) != packets_.visit(number))
            return Sight::unknown;
        switch (slot::state(word)) {
        case slot::free: return may_be_lost ? Sight::unknown : Sight::nothing;
        case slot::claimed: return Sight::nothing;
        case slot::empty: return Sight::unknown;
        default: return Sight::message;
        }
    }
    // The number of the packet that is taken next.
    std::uint64_t head() const { return head_.load(std::memory_order_relaxed); }

    // As Port::hold() and Port::release().
    Message* hold(MailboxHeld held, const Taken& taken) { return &reserve_.hold(held, taken); }
    void release(const Taken& taken)
    {
        if (taken.memory() != nullptr)
            reserve_.give_back(*taken.memory());
    }

private:
    // How many messages without memory a queue of so many packets can hold for later.
    static constexpr std::uint64_t slots_beside(std::uint64_t packets)
    {
        return std::max(packets / 16, std::uint64_t{8});
    }
    // As many packets as are asked for, or as few as leave most of the budget to messages.
    static std::uint64_t affordable(const PortParts& parts, std::uint64_t packets)
    {
        const std::uint64_t most = parts.memory.units() * BuddyHeap::unit_bytes / 4 / parts.endpoints;
        while (packets * sizeof(QueuedPacket) + SlotsInBudget::bytes(slots_beside(packets)) > most &&
               packets > fewest_packets)
            packets /= 2;
        return packets;
    }

    // The packet of that number, which the caller has claimed.
    QueuedPacket& fillable(unsigned caller, std::uint64_t number)
    {
        QueuedPacket& packet = packets_.at(number);
        const std::uint64_t visit = packets_.visit(number);
        assert_that(
            [&] { return slot::may_fill(packet.word.load(std::memory_order_relaxed), visit, caller); });
        return packet;
    }
    // Pairs with R1.
    void publish(QueuedPacket& packet, std::uint64_t number, slot::SlotState state, unsigned caller)
    {
        packet.word.store(slot::word(packets_.visit(number), state, caller), std::memory_order_release);
    }
    // Pairs with the acquire in ask_limit(): what was taken before is in the reserve by then, or over, and
    // its packet is free.
    void go_on(std::uint64_t number) { head_.store(number + 1, std::memory_order_release); }

    // Below which number a message without memory has a slot, and a packet that has been drawn is free. Who
    // sees the limit sees that, for all below `head` have been freed, or passed over, before the store of
    // head_ (release) that is read here (acquire), and this comes before the limit's store (release), which
    // is_within_limit() reads (acquire). Another sender may set an older limit afterwards, which is true as
    // well; then the limit is only asked for again. Rings that are shorter than their reserve, as tests have,
    // end it earlier.
    [[gnu::noinline]] std::uint64_t ask_limit()
    {
        const std::uint64_t head = head_.load(std::memory_order_acquire);
        // `head` was read first, so more may have been taken since, which have their slots already.
        const std::uint64_t in_reserve = std::max(head + reserve_.spare(), std::uint64_t{1}) - 1;
        const std::uint64_t limit = std::min(in_reserve, head + packets_.count());
        limit_.store(limit, std::memory_order_release);
        return limit;
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
    Reserve<SlotsInBudget, QueuedPacket> reserve_;
    bool is_made_;
    alignas(64) Atomic<std::uint64_t> limit_{0}; // as ask_limit() has answered last
    // Guarded by the lock of the mailbox, which the queue does not know, so that the compiler cannot hold it;
    // takers show a MailboxHeld.
    alignas(64) Atomic<std::uint64_t> head_{0};
    struct {
        Envelope envelope;
        alignas(8) std::byte bytes[QueuedPacket::room]; // behind the envelope, as Taken says
    } taken_;                                           // its packet is a sender's again
};

} // namespace parley::messaging
