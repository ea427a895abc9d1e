// SPDX-License-Identifier: MIT
// The blocks of the shared region that programs allocate (nx_alloc) and, under pointer transfer, hand to each
// other. Every block has an owner: a process, the message that carries it, or, after a broadcast, all its
// readers together. The table of owners lies outside the shared region's blocks.
#pragma once

#include "messaging/buddy_heap.hpp"

namespace parley::messaging {

class Blocks {
public:
    static constexpr std::uint16_t in_flight = 0xfffe; // owner: a message
    // owner: those in Unit::readers and Unit::pending messages
    static constexpr std::uint16_t readers = 0xfffd;
    static constexpr unsigned max_readers = 64;
    static constexpr std::size_t max_alignment = 65536;

    Blocks(std::byte* arena, std::size_t bytes, std::byte* table) : heap_(arena, bytes, table) { }

    Result<void> start() { return heap_.start(); }
    Result<std::uintptr_t> allocate(unsigned owner, std::size_t bytes, std::size_t alignment);
    // Errors: not_owned.
    Result<void> release(unsigned owner, std::uintptr_t block);
    // From a process to `copies` messages. Errors: not_owned, bad_length.
    Result<void> give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies);
    // From one message to the process that receives it.
    void accept(unsigned receiver, std::uintptr_t block);
    // One message that carries the block will never be received.
    void discard(std::uintptr_t block);
    // A process has ended.
    void release_all(unsigned owner);

    std::size_t used_units() const { return heap_.used_units(); }

private:
    void free_if_unused(BuddyHeap::Unit& unit, std::uintptr_t block);

    BuddyHeap heap_;
};

} // namespace parley::messaging
