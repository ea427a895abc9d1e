// SPDX-License-Identifier: MIT
// A buddy allocator over one arena. All its bookkeeping lies in a table outside the arena, so that programs
// which can write the arena cannot mislead it. Arena and table are populated on first use and must read as
// zero then. A few small blocks that have been released are kept whole for the next who wants that size; they
// join their buddies when an allocation finds nothing else.
#pragma once

#include "kernel/base/result.hpp"
#include "sched/synchronization/spinning.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class BuddyHeap {
public:
    static constexpr std::size_t unit_bytes = 256;
    static constexpr unsigned orders = 32;

    enum class UnitState : std::uint8_t { inside, free, used };

    // One per unit of the arena; meaningful for the first unit of a block.
    struct alignas(32) Unit {
        std::uint32_t next, previous; // free blocks of one order: index + 1
        std::uint8_t order;
        UnitState state;
        std::uint16_t owner; // this and what follows: used by Blocks
        std::uint32_t pending;
        std::uint64_t readers;
        std::uint32_t held;
    };

    // Of the table for an arena of that size.
    static std::size_t table_bytes(std::size_t arena_bytes);
    // `table`, at the start of a page, has table_bytes(arena_bytes).
    BuddyHeap(std::byte* arena, std::size_t arena_bytes, std::byte* table);
    // Before anything else. Errors: no_memory.
    Result<void> start();
    BuddyHeap(const BuddyHeap&) = delete;
    BuddyHeap& operator=(const BuddyHeap&) = delete;

    // A block of at least `bytes`, aligned (from the arena's start) to its size rounded up to a power of two.
    Result<std::byte*> allocate(std::size_t bytes);
    void release(std::byte* block);

    // For those who hold lock().
    sched::ShortLock& lock() { return lock_; }
    Result<std::byte*> allocate_locked(std::size_t bytes);
    void release_locked(std::byte* block);
    // The unit of the block in use that starts exactly there, or null.
    Unit* block_at(std::uintptr_t address);
    std::byte* address_of(std::size_t index) const { return arena_ + index * unit_bytes; }
    // Index of the first block at or after `index` that is in use, or units().
    std::size_t next_used(std::size_t index) const;
    Unit& unit(std::size_t index) { return units_[index]; }

    // Whether the address lies in the arena, used or not.
    bool contains(const std::byte* address) const
    {
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(arena_);
        return offset < unit_count_ * unit_bytes;
    }

    // Of the whole arena, and of what is in use: a hint while others allocate. Largest: bytes of a block
    // that an empty heap could give.
    std::size_t units() const { return unit_count_; }
    std::size_t used_units() const { return used_units_.load(std::memory_order_relaxed); }
    std::size_t largest() const { return std::size_t{unit_bytes} << top_order_; }

private:
    static constexpr unsigned kept_orders = 9; // blocks up to 64 KB
    static constexpr std::uint8_t most_kept = 8;

    void take_into_use(Unit& unit, unsigned order);
    bool keep(std::size_t index, unsigned order);
    bool let_go_of_kept();
    void join(std::size_t index, unsigned order);
    void insert(std::size_t index, unsigned order);
    void remove(std::size_t index);
    Result<void> ready_to_insert(std::size_t index);
    Result<void> populate(std::byte* block, std::size_t bytes);

    std::byte* arena_;
    std::size_t unit_count_;
    std::uint64_t* arena_pages_; // one bit a page that is populated
    std::uint64_t* table_pages_; // the same for the pages of units_
    Unit* units_;
    unsigned top_order_ = 0;
    std::uint32_t heads_[orders] = {};
    // What a block of usual size needs, in one cache line: it crosses between processors with each of them.
    alignas(64) sched::ShortLock lock_;
    std::uint8_t kept_count_[kept_orders] = {};
    Atomic<std::size_t> used_units_{0};
    std::uint32_t kept_[kept_orders] = {}; // index + 1 of the first; linked through Unit::next
};

} // namespace parley::messaging
