// SPDX-License-Identifier: MIT
// A buddy allocator over one arena. All its bookkeeping lies in a table outside the arena, so that programs
// which can write the arena cannot mislead it. Arena and table are populated on first use and must read as
// zero then. A few small blocks that have been released are kept whole for the next who wants that size; such
// blocks join their buddies when an allocation finds nothing else. One of each size is kept on a shelf of the
// party that has released it: in an exchange of messages, what a process has received is what it sends in,
// and neither the lock nor the lists move between processors.
#pragma once

#include "base/result.hpp"
#include "sched/synchronization/spinning.hpp"

#include <bit>
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
        Atomic<std::uint16_t> owner; // this and what follows: used by Blocks
        std::uint32_t pending;
        std::uint64_t readers;
        std::uint32_t held;
    };

    // The size of the table for an arena of that size.
    static std::size_t table_bytes(std::size_t arena_bytes);
    // `table`, at the start of a page, has table_bytes(arena_bytes).
    BuddyHeap(std::byte* arena, std::size_t arena_bytes, std::byte* table);
    // Called before anything else. Errors: no_memory.
    Result<void> start();
    BuddyHeap(const BuddyHeap&) = delete;
    BuddyHeap& operator=(const BuddyHeap&) = delete;

    // Allocates a block of at least `bytes`, aligned (from the arena's start) to its size rounded up to a
    // power of two. Errors: no_memory.
    Result<std::byte*> allocate(std::size_t bytes);
    // Gives back a block that allocate() has answered. Anyone may call this.
    void release(std::byte* block);
    // These do the same for a party, which is any number, that may soon release or want such a block again.
    Result<std::byte*> allocate(std::size_t bytes, unsigned party)
    {
        const unsigned order = order_for(bytes);
        if (order < kept_orders)
            if (std::byte* const block = take_from(shelf_of(party), order))
                return block;
        return allocate(bytes);
    }
    void release(std::byte* block, unsigned party)
    {
        const auto index =
            static_cast<std::uint32_t>((block - arena_) / static_cast<std::ptrdiff_t>(unit_bytes));
        const unsigned order = units_[index].order;
        if (order >= kept_orders || !put_on(shelf_of(party), order, index))
            release(block);
    }

    // The unit of a block that starts there or once did; null: there is none. Anyone may call this.
    Unit* head_at(std::uintptr_t address);

    // The lock and what it guards, for callers that take more than one step.
    sched::ShortLock& lock() RETURN_CAPABILITY(lock_) { return lock_; }
    Result<std::byte*> allocate_locked(std::size_t bytes) REQUIRES(lock_);
    void release_locked(std::byte* block) REQUIRES(lock_);
    // The unit of the block in use that starts exactly there; null: there is none.
    Unit* block_at(std::uintptr_t address) REQUIRES(lock_);
    std::byte* address_of(std::size_t index) const { return arena_ + index * unit_bytes; }
    // Index of the first block at or after `index` that is in use, or units().
    std::size_t next_used(std::size_t index) const REQUIRES(lock_);
    Unit& unit(std::size_t index) REQUIRES(lock_) { return units_[index]; }

    // Whether the address lies in the arena, used or not.
    bool contains(const std::byte* address) const
    {
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(arena_);
        return offset < unit_count_ * unit_bytes;
    }

    // How many units the whole arena has, and how many are in use, without those on shelves: a hint while
    // others allocate.
    std::size_t units() const { return unit_count_; }
    std::size_t used_units() const;
    // How many units are in use or lie on shelves: one word is read.
    std::size_t taken_units() const { return used_units_.load(std::memory_order_relaxed); }
    // The bytes of the largest block that an empty heap could give.
    std::size_t largest() const { return std::size_t{unit_bytes} << top_order_; }

private:
    static constexpr unsigned kept_orders = 9; // blocks up to 64 KB
    static constexpr std::uint8_t most_kept = 8;
    static constexpr unsigned shelves = 64; // parties that are equal modulo this share one

    // One block of each order at most: its index + 1, or 0. In the table the block is in use. Its party takes
    // it, or an allocation that finds nothing else; whoever takes it has it alone.
    struct alignas(64) Shelf {
        Atomic<std::uint32_t> blocks[kept_orders]{};
    };

    static unsigned order_for(std::size_t bytes)
    {
        const std::size_t units = (bytes + unit_bytes - 1) / unit_bytes;
        return units <= 1 ? 0 : static_cast<unsigned>(std::bit_width(units - 1));
    }
    Shelf& shelf_of(unsigned party) { return shelves_[party % shelves]; }
    // Takes the block of that order. Null: there is none.
    std::byte* take_from(Shelf& shelf, unsigned order)
    {
        Atomic<std::uint32_t>& slot = shelf.blocks[order];
        // Sequentially consistent with put_on(), and with what both parties do at the budget (budget.hpp).
        if (slot.load(std::memory_order_seq_cst) == 0)
            return nullptr;
        // Pairs with put_on(): whoever had the block has done with it.
        const std::uint32_t block = slot.exchange(0, std::memory_order_seq_cst);
        return block != 0 ? address_of(block - 1) : nullptr;
    }
    // Puts a block on the shelf. False: one of that order lies there already.
    bool put_on(Shelf& shelf, unsigned order, std::uint32_t index)
    {
        std::uint32_t none = 0;
        return shelf.blocks[order].load(std::memory_order_relaxed) == 0 &&
               shelf.blocks[order].compare_exchange_strong(none, index + 1, std::memory_order_seq_cst,
                                                           std::memory_order_relaxed);
    }
    void take_into_use(Unit& unit, unsigned order) REQUIRES(lock_);
    bool keep(std::size_t index, unsigned order) REQUIRES(lock_);
    bool let_go_of_kept() REQUIRES(lock_);
    void clear_shelves() REQUIRES(lock_);
    void join(std::size_t index, unsigned order) REQUIRES(lock_);
    void insert(std::size_t index, unsigned order) REQUIRES(lock_);
    void remove(std::size_t index) REQUIRES(lock_);
    Result<void> ready_to_insert(std::size_t index) REQUIRES(lock_);
    Result<void> populate(std::byte* block, std::size_t bytes) REQUIRES(lock_);

    std::byte* arena_;
    std::size_t unit_count_;
    std::uint64_t* arena_pages_; // one bit a page that is populated
    std::uint64_t* table_pages_; // the same for the pages of units_
    Unit* units_;
    unsigned top_order_ = 0;
    std::uint32_t heads_[orders] GUARDED_BY(lock_) = {};
    // What a block of usual size needs lies in one cache line, which crosses between processors with each
    // block.
    alignas(64) sched::ShortLock lock_;
    std::uint8_t kept_count_[kept_orders] GUARDED_BY(lock_) = {};
    Atomic<std::size_t> used_units_{0};
    std::uint32_t kept_[kept_orders] GUARDED_BY(
        lock_) = {}; // index + 1 of the first; linked through Unit::next
    Shelf shelves_[shelves];
};

} // namespace parley::messaging
