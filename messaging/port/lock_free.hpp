// SPDX-License-Identifier: MIT
// The queue of Lumetta's thesis, 2.3 and 3.3: a sender fetches and increments the tail, which says which
// packet it wants, and then claims that packet by compare-and-swap. When the queue is full, several senders
// want the same packet, and any of them has it first; so what is assigned first need not be filled first, and
// a sender's message may overtake the one before it.
//   claim   S1 which block?  S2 is it free? it is claimed    S3, S4 the same for the packet
// A sender whose packet is not free keeps its number, and its message is not in: it uses the number when it
// comes again. Meanwhile whoever takes passes over one packet for it. Whoever ends a process empties what it
// had claimed; whoever takes passes over what it had drawn (assignments.hpp).
#pragma once

#include "messaging/port/assignments.hpp"
#include "messaging/port/packet_port.hpp"

#include <string_view>

namespace parley::messaging {

class LockFreeClaim {
public:
    static constexpr LeafArgument arguments[] = {packets_argument, blocks_argument, yield_argument,
                                                 increment_argument};
    static constexpr LeafValues smallest = {16, 2, 0, 0};

    LockFreeClaim(PacketQueue& queue, const PortParts& parts, const LeafValues& values)
        : queue_(queue), claimants_(parts), yield_(values[2]), by_swapping_(values[3] != 0),
          packets_(tails_.packets, claimants_, &Claimant::packet, by_swapping_)
    {
    }

    bool is_made() const { return claimants_.is_made(); }

    std::optional<ClaimedPlaces> claim(unsigned caller, bool with_block)
    {
        std::optional<std::uint64_t> block;
        if (with_block) [[unlikely]] {
            block = claim_block(caller);
            if (!block)
                return std::nullopt;
        }
        const std::optional<std::uint64_t> number = claim_packet(caller);
        if (number) [[likely]]
            return ClaimedPlaces{*number, block};
        if (block)
            give_back(caller, *block);
        return std::nullopt;
    }
    // The steps of a claim answer the number of what the caller has claimed, or none: there was
    // nothing free.
    std::optional<std::uint64_t> claim_block(unsigned caller)
    {
        // A block's number is not kept: whoever is assigned a block that is free may have it.
        const std::uint64_t assigned = fetch_and_increment(tails_.blocks, by_swapping_);      // S1
        const std::optional<std::uint64_t> number = claim(queue_.blocks(), assigned, caller); // S2
        if (number)
            claimants_[caller].block.store(Assignments::note_of(*number, Assignments::assigned),
                                           std::memory_order_relaxed);
        return number;
    }
    std::optional<std::uint64_t> claim_packet(unsigned caller)
    {
        const std::uint64_t assigned = packets_.draw(claimants_[caller]);                      // S3
        const std::optional<std::uint64_t> number = claim(queue_.packets(), assigned, caller); // S4
        if (!number) [[unlikely]]
            packets_.keep(claimants_[caller], assigned);
        return number;
    }
    void finish(unsigned caller, const ClaimedPlaces& places)
    {
        packets_.finish(claimants_[caller]);
        if (places.block)
            claimants_[caller].block.store(Assignments::none, std::memory_order_relaxed);
    }

    bool is_lost(std::uint64_t number)
    {
        return packets_.is_next_lost(number, queue_.packets().index_bits());
    }
    bool may_be_lost() const { return packets_.is_unclear(); }

    bool leave(unsigned caller)
    {
        Claimant& claimant = claimants_[caller];
        const std::uint64_t packet = claimant.packet.load(std::memory_order_relaxed);
        const std::uint64_t block = claimant.block.load(std::memory_order_relaxed);
        const bool has_claimed = Assignments::phase(packet) == Assignments::assigned &&
                                 empty_packet(caller, Assignments::number(packet));
        for (std::uint64_t index = 0; index < queue_.blocks().count(); ++index)
            if (const std::uint64_t word = queue_.blocks().at(index).word.load(std::memory_order_relaxed);
                slot::caller(word) == caller && slot::state(word) == slot::claimed)
                queue_.blocks().free(queue_.blocks().number(slot::visit(word), index));
        // It was filled, and its packet was not.
        if (has_claimed && Assignments::phase(block) == Assignments::assigned)
            if (const std::uint64_t word =
                    queue_.blocks().at(Assignments::number(block)).word.load(std::memory_order_relaxed);
                word == slot::word(queue_.blocks().visit(Assignments::number(block)), slot::ready, caller))
                queue_.blocks().free(Assignments::number(block));
        claimant.block.store(Assignments::none, std::memory_order_relaxed);
        packets_.leave(claimant);
        return packet != Assignments::none || block != Assignments::none;
    }

private:
    // The first try is made without a look, which would move the slot's line once more: nearly always the
    // slot is free in the visit that is assigned. Acquire pairs with the release of whoever has freed it.
    template <class Slot>
    std::optional<std::uint64_t> claim(SlotRing<Slot>& ring, std::uint64_t assigned, unsigned caller)
    {
        Atomic<std::uint64_t>& word = ring.at(assigned).word;
        std::uint64_t now = ring.free_word(assigned);
        if (claim_as(word, now, caller)) [[likely]]
            return assigned;
        BackOff back_off(yield_);
        do {
            now = word.load(std::memory_order_relaxed);
            if (slot::state(now) == slot::free && claim_as(word, now, caller))
                return ring.number(slot::visit(now), assigned & ring.index_bits());
        } while (back_off.once());
        return std::nullopt;
    }
    // Claims a slot whose word is `free`.
    static bool claim_as(Atomic<std::uint64_t>& word, std::uint64_t free, unsigned caller)
    {
        return word.compare_exchange_strong(free, slot::word(slot::visit(free), slot::claimed, caller),
                                            std::memory_order_acquire, std::memory_order_relaxed);
    }
    void give_back(unsigned caller, std::uint64_t block)
    {
        queue_.blocks().free(block);
        claimants_[caller].block.store(Assignments::none, std::memory_order_relaxed);
    }

    // Whether the caller, which has ended, has claimed that packet and not filled it: then the packet is to
    // be passed over.
    bool empty_packet(unsigned caller, std::uint64_t assigned)
    {
        Atomic<std::uint64_t>& word = queue_.packets().at(assigned).word;
        const std::uint64_t now = word.load(std::memory_order_relaxed);
        if (slot::caller(now) != caller || slot::state(now) != slot::claimed)
            return false;
        word.store(slot::word(slot::visit(now), slot::empty), std::memory_order_release);
        return true;
    }

    PacketQueue& queue_;
    Claimants claimants_;
    const std::uint64_t yield_;
    const bool by_swapping_;
    Tails tails_;
    alignas(64) Assignments packets_;
};

class LockFreePort final : public PacketPort<LockFreeClaim> {
public:
    static constexpr std::string_view name = "lock-free";
    static constexpr std::string_view promise =
        "a sender draws which packet it wants, and claims that; full, it keeps no order: for Active Messages";
    static constexpr bool keeps_order = false;
    static constexpr std::string_view in_order = "fifo";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
