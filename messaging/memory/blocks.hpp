// SPDX-License-Identifier: MIT
// The blocks of the shared region that programs allocate (nx_alloc) and, under pointer transfer, hand to each
// other. Every block has an owner: a process, the message that carries it, or, after a broadcast, all its
// readers together. The table of owners lies outside the shared region's blocks.
//
// A block that one message carries changes hands without the heap's lock, whose cache line would cross
// between processors with each message. In the word `owner`, only that process changes a process's number,
// and only who receives or drops the message changes `in_flight`; the message has come to it by a release and
// an acquire of the port. Whatever has no owner says `nobody`, so a process that gives what it no longer has
// finds another word there. All else needs the heap's lock.
#pragma once

#include "messaging/memory/buddy_heap.hpp"

namespace parley::messaging {

class Blocks {
public:
    static constexpr std::uint16_t nobody = 0;         // a process is its endpoint's index + 1
    static constexpr std::uint16_t in_flight = 0xfffe; // owner: a message
    // owner: Unit::held processes, which the set of its readers names, and Unit::pending messages
    static constexpr std::uint16_t readers = 0xfffd;
    static constexpr std::size_t max_alignment = 65536;

    // `processes`: of the job. The sets of readers that a word has no room for come from `buffers`.
    Blocks(std::byte* arena, std::size_t bytes, std::byte* table, BuddyHeap& buffers, unsigned processes)
        : heap_(arena, bytes, table), buffers_(buffers), processes_(processes)
    {
    }

    // Called before anything else. Errors: no_memory.
    Result<void> start() { return heap_.start(); }
    // Allocates a block for a process; its contents are what they were. `bytes` and `alignment` are in bytes;
    // `alignment` is a power of two, at most max_alignment. Errors: bad_argument, no_memory.
    Result<std::uintptr_t> allocate(unsigned owner, std::size_t bytes, std::size_t alignment);
    // The owner releases its block. Errors: not_owned.
    Result<void> release(unsigned owner, std::uintptr_t block);
    // A block goes from a process to `copies` messages. Errors: not_owned, bad_length; no_memory: nothing
    // changed.
    Result<void> give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies);
    // The block goes from one message to the process that receives it.
    void accept(unsigned receiver, std::uintptr_t block);
    // One message that carries the block will never be received.
    void discard(std::uintptr_t block);
    // A process has ended: releases all blocks that it holds.
    void release_all(unsigned owner);

    // How many units (BuddyHeap::unit_bytes) are in use, whoever has them; 0 when nobody has left anything.
    std::size_t used_units() const { return heap_.used_units(); }

private:
    // The readers of a broadcast block have a bit each: in the unit's word, or, in a job of more processes
    // than it has bits, in a buffer whose address stands there.
    static constexpr unsigned word_bits = 64;
    bool has_large_sets() const { return processes_ > word_bits; }
    Result<std::uint64_t> new_set();
    void free_set(std::uint64_t set);
    // The word of the set that has the reader's bit. Null: the process is none of this job's.
    std::uint64_t* word_of(BuddyHeap::Unit& unit, unsigned reader) const;
    static std::uint16_t number_of(unsigned process) { return static_cast<std::uint16_t>(process + 1); }
    static std::uint64_t bit_of(unsigned reader) { return std::uint64_t{1} << reader % word_bits; }

    Result<void> give_to_all(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies);
    // The unit of a block that can be given. Errors: not_owned, bad_length.
    Result<BuddyHeap::Unit*> owned(unsigned owner, std::uintptr_t block, std::size_t bytes);

    // A reader leaves the block. False: it does not hold the block.
    bool leave(BuddyHeap::Unit& unit, unsigned reader) REQUIRES(heap_.lock());
    void free_if_unused(BuddyHeap::Unit& unit, std::uintptr_t block) REQUIRES(heap_.lock());
    void free(BuddyHeap::Unit& unit, std::uintptr_t block) REQUIRES(heap_.lock());

    BuddyHeap heap_;
    BuddyHeap& buffers_;
    const unsigned processes_;
};

} // namespace parley::messaging
