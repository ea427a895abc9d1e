// SPDX-License-Identifier: MIT
// The queue of Lumetta's thesis, 6.3.1, that keeps the order of assignments: a sender fetches and increments
// the tail, and that number is its packet as soon as the packet comes to that visit. So a claim is one atomic
// operation, and no two senders ever want the same packet in the same visit.
//   claim   S1 draw a number of a block  S2 is the block in that visit?   S3, S4 the same for the packet
// A sender whose packet is not there keeps its number, and its message is not in: it uses the number when it
// comes again. Meanwhile whoever takes passes over the number. Of a process that has ended nothing is left to
// pass on: what it had drawn is lost (assignments.hpp), and is passed over.
#pragma once

#include "messaging/port/assignments.hpp"
#include "messaging/port/packet_port.hpp"

#include <string_view>

namespace parley::messaging {

class FifoClaim {
public:
    static constexpr LeafArgument arguments[] = {packets_argument, blocks_argument, yield_argument,
                                                 increment_argument};
    static constexpr LeafValues smallest = {16, 2, 0, 0};

    FifoClaim(PacketQueue& queue, const PortParts& parts, const LeafValues& values)
        : queue_(queue), claimants_(parts), yield_(values[2]),
          packets_(tails_.packets, claimants_, &Claimant::packet, values[3] != 0),
          blocks_(tails_.blocks, claimants_, &Claimant::block, values[3] != 0)
    {
    }

    bool is_made() const { return claimants_.is_made(); }

    std::optional<ClaimedPlaces> claim(unsigned caller, bool with_block)
    {
        Claimant& claimant = claimants_[caller];
        std::optional<std::uint64_t> block;
        if (with_block) [[unlikely]] {
            block = blocks_.draw(claimant); // S1
            if (!block_comes(*block)) {     // S2
                blocks_.keep(claimant, *block);
                return std::nullopt;
            }
        }
        const std::uint64_t number = packets_.draw(claimant); // S3
        if (!packet_comes(number)) [[unlikely]] {             // S4
            packets_.keep(claimant, number);
            if (block)
                blocks_.keep(claimant, *block);
            return std::nullopt;
        }
        return ClaimedPlaces{number, block};
    }
    void finish(unsigned caller, const ClaimedPlaces& places)
    {
        packets_.finish(claimants_[caller]);
        if (places.block)
            blocks_.finish(claimants_[caller]);
    }

    bool is_lost(std::uint64_t number) { return packets_.is_next_lost(number, all_bits); }
    bool may_be_lost() const { return packets_.is_unclear(); }

    bool leave(unsigned caller)
    {
        Claimant& claimant = claimants_[caller];
        const std::uint64_t packet = claimant.packet.load(std::memory_order_relaxed);
        const std::uint64_t block = claimant.block.load(std::memory_order_relaxed);
        if (Assignments::phase(block) == Assignments::assigned &&
            Assignments::phase(packet) == Assignments::assigned)
            give_back(Assignments::number(block), Assignments::number(packet));
        packets_.leave(claimant);
        blocks_.leave(claimant);
        return packet != Assignments::none || block != Assignments::none;
    }

private:
    static constexpr std::uint64_t all_bits = ~std::uint64_t{0};

    // S4. Acquire pairs with the release of whoever has freed it; the limit tells the same.
    bool packet_comes(std::uint64_t number)
    {
        if (queue_.is_within_limit(number)) [[likely]]
            return true;
        const Atomic<std::uint64_t>& word = queue_.packets().at(number).word;
        const std::uint64_t wanted = queue_.packets().free_word(number);
        queue_.packets().fetch(number);
        BackOff back_off(yield_);
        do {
            if (word.load(std::memory_order_acquire) == wanted) [[likely]]
                return true;
        } while (back_off.once());
        return false;
    }
    // S2. Nobody comes past a block whose number is lost but those who want it next.
    bool block_comes(std::uint64_t number)
    {
        SlotRing<Block>& blocks = queue_.blocks();
        Atomic<std::uint64_t>& word = blocks.at(number).word;
        BackOff back_off(yield_);
        for (;;) {
            std::uint64_t now = word.load(std::memory_order_acquire);
            if (now == blocks.free_word(number))
                return true;
            const std::uint64_t there = blocks.number(slot::visit(now), number & blocks.index_bits());
            if (slot::state(now) == slot::free && blocks_.is_lost(there, all_bits))
                (void)word.compare_exchange_strong(now, blocks.free_word(there + blocks.count()),
                                                   std::memory_order_acq_rel);
            else if (!back_off.once())
                return false;
        }
    }

    // A process that has ended had both; its block is free again unless its packet is ready.
    void give_back(std::uint64_t block, std::uint64_t packet)
    {
        const std::uint64_t word = queue_.packets().at(packet).word.load(std::memory_order_acquire);
        const bool is_there = word == queue_.packets().free_word(packet);
        const std::uint64_t of_block = queue_.blocks().at(block).word.load(std::memory_order_relaxed);
        if (is_there && slot::visit(of_block) == queue_.blocks().visit(block) &&
            slot::state(of_block) == slot::ready)
            queue_.blocks().free(block);
    }

    PacketQueue& queue_;
    Claimants claimants_;
    const std::uint64_t yield_;
    Tails tails_;
    alignas(64) Assignments packets_;
    Assignments blocks_;
};

class FifoPort final : public PacketPort<FifoClaim> {
public:
    static constexpr std::string_view name = "fifo";
    static constexpr std::string_view promise =
        "a sender draws a number and fills the packet of that number; messages leave in that order";

    using PacketPort::PacketPort;
};

} // namespace parley::messaging
