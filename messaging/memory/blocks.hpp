// SPDX-License-Identifier: MIT
// The blocks of the shared region that programs allocate (nx_alloc) and, under pointer transfer, hand to each
// other. Every block has an owner: a process, the message that carries it, or, after a broadcast, all its
// readers together. The table of owners lies outside the shared region's blocks.
//
// A block that one message carries changes hands without the heap's lock and without the table, whose cache
// lines would cross between processors with each message. The word `owner` says once that the block is in
// flight, and goes on to say so: from then on a message has the block, or a process that lists it among those
// it has received. Only that process changes its list, and what a message carries has come to its receiver by
// a release and an acquire of the port. A process whose list is full notes the oldest slot's block in the
// table again. In the word `owner`, only that process changes a process's number, and only who receives or
// drops the message changes `in_flight`. Whatever has no owner says `nobody`, so a process that gives what it
// no longer has finds it neither in its list nor in the table. All else needs the heap's lock.
#pragma once

#include "messaging/memory/buddy_heap.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::messaging {

class Blocks {
public:
    static constexpr std::uint16_t nobody = 0; // a process is its endpoint's index + 1
    // owner: a message, or a process that lists the block as received
    static constexpr std::uint16_t in_flight = 0xfffe;
    // owner: Unit::held processes, which the set of its readers names, and Unit::pending messages
    static constexpr std::uint16_t readers = 0xfffd;
    static constexpr std::size_t max_alignment = 65536;

    // The blocks that a process has received and not given on or released: what their messages carried. One
    // cache line, which only its process touches.
    struct alignas(64) Received {
        Atomic<std::uintptr_t> carried[8]{}; // 0: none
    };

    // `received`: of each process of the job. The sets of readers that a word has no room for come from
    // `buffers`.
    Blocks(std::byte* arena, std::size_t bytes, std::byte* table, BuddyHeap& buffers,
           std::span<Received> received)
        : heap_(arena, bytes, table), buffers_(buffers), received_(received)
    {
    }

    // Called before anything else. Errors: no_memory.
    Result<void> start() { return heap_.start(); }
    // Allocates a block for a process; its contents are what they were. `bytes` and `alignment` are in bytes;
    // `alignment` is a power of two, at most max_alignment. Errors: bad_argument, no_memory.
    Result<std::uintptr_t> allocate(unsigned owner, std::size_t bytes, std::size_t alignment);
    // The owner releases its block. Errors: not_owned.
    Result<void> release(unsigned owner, std::uintptr_t block);
    // A block goes from a process to `copies` messages; answers what each of these carries. Errors:
    // not_owned, bad_length; no_memory: nothing changed.
    Result<std::uintptr_t> give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies);
    // Does the same, for one message, in few steps: with a block that stands first in its owner's list, as
    // one does that came when nothing else was kept. 0: it is none such, or too short; nothing has changed.
    std::uintptr_t give_first(unsigned owner, std::uintptr_t block, std::size_t bytes)
    {
        if (owner >= received_.size())
            return 0;
        Atomic<std::uintptr_t>& first = received_[owner].carried[0];
        const std::uintptr_t carried = first.load(std::memory_order_relaxed);
        if (!carries(carried, block) || bytes > size_of(carried)) [[unlikely]]
            return 0;
        first.store(0, std::memory_order_relaxed);
        return carried;
    }
    // The block goes from one message to the process that receives it; answers its address.
    std::uintptr_t accept(unsigned receiver, std::uintptr_t carried)
    {
        if (is_alone(carried) && receiver < received_.size()) [[likely]] {
            Atomic<std::uintptr_t>& first = received_[receiver].carried[0];
            if (first.load(std::memory_order_relaxed) == 0) [[likely]] {
                first.store(carried, std::memory_order_relaxed);
                return address_in(carried);
            }
        }
        return accept_slowly(receiver, carried);
    }
    // One message that carries the block will never be received, or was being received by a process that has
    // ended, whose blocks are then released after this.
    void discard(std::uintptr_t carried);
    // A process has ended: releases all blocks that it holds.
    void release_all(unsigned owner);

    // How many units (BuddyHeap::unit_bytes) are in use, whoever has them; 0 when nobody has left anything.
    std::size_t used_units() const { return heap_.used_units(); }

private:
    // The readers of a broadcast block have a bit each: in the unit's word, or, in a job of more processes
    // than it has bits, in a buffer whose address stands there.
    static constexpr unsigned word_bits = 64;
    bool has_large_sets() const { return received_.size() > word_bits; }
    Result<std::uint64_t> new_set();
    void free_set(std::uint64_t set);
    // The word of the set that has the reader's bit. Null: the process is none of this job's.
    std::uint64_t* word_of(BuddyHeap::Unit& unit, unsigned reader) const;
    static std::uint16_t number_of(unsigned process) { return static_cast<std::uint16_t>(process + 1); }
    static std::uint64_t bit_of(unsigned reader) { return std::uint64_t{1} << reader % word_bits; }

    // What a message carries whose block is its alone: the block's address, and in its low bits the block's
    // order + 1. A block of several messages goes by its address.
    static constexpr std::uintptr_t order_bits = BuddyHeap::unit_bytes - 1;
    static_assert(BuddyHeap::orders < order_bits);
    static std::uintptr_t alone(std::uintptr_t block, unsigned order) { return block + order + 1; }
    static std::uintptr_t address_in(std::uintptr_t carried) { return carried & ~order_bits; }
    static bool is_alone(std::uintptr_t carried) { return (carried & order_bits) != 0; }
    // Whether a slot of a list has that block.
    static bool carries(std::uintptr_t carried, std::uintptr_t block)
    {
        return carried != 0 && address_in(carried) == block;
    }
    static std::size_t size_of(std::uintptr_t carried)
    {
        return BuddyHeap::unit_bytes << ((carried & order_bits) - 1);
    }

    std::uintptr_t accept_slowly(unsigned receiver, std::uintptr_t carried);
    // The slot in the process's list that has the block; null: there is none.
    Atomic<std::uintptr_t>* listed(unsigned process, std::uintptr_t block);
    void list(unsigned process, std::uintptr_t carried);
    // Whether any process lists what a message carries: then the message has been received.
    bool is_listed(std::uintptr_t carried) const;

    Result<void> give_to_all(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies);
    // The unit of a block that can be given. Errors: not_owned, bad_length.
    Result<BuddyHeap::Unit*> owned(unsigned owner, std::uintptr_t block, std::size_t bytes);

    // A reader leaves the block. False: it does not hold the block.
    bool leave(BuddyHeap::Unit& unit, unsigned reader) REQUIRES(heap_.lock());
    void free_if_unused(BuddyHeap::Unit& unit, std::uintptr_t block) REQUIRES(heap_.lock());
    void free(BuddyHeap::Unit& unit, std::uintptr_t block) REQUIRES(heap_.lock());

    BuddyHeap heap_;
    BuddyHeap& buffers_;
    const std::span<Received> received_;
};

} // namespace parley::messaging
