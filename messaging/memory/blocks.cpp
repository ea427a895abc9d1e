// SPDX-License-Identifier: MIT
#include "messaging/memory/blocks.hpp"

namespace parley::messaging {

namespace {

std::byte* pointer_to(std::uintptr_t block) { return reinterpret_cast<std::byte*>(block); }

} // namespace

Result<std::uintptr_t> Blocks::allocate(unsigned owner, std::size_t bytes, std::size_t alignment)
{
    const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!is_power_of_two || alignment > max_alignment)
        return std::unexpected(Error::bad_argument);
    const sched::ShortGuard guard(heap_.lock());
    // Buddy blocks are as aligned as they are large.
    std::byte* const block = TRY(heap_.allocate_locked(bytes > alignment ? bytes : alignment));
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    BuddyHeap::Unit& unit = *heap_.block_at(address);
    unit.pending = 0;
    unit.held = 0;
    unit.owner.store(number_of(owner), std::memory_order_relaxed);
    return address;
}

Result<void> Blocks::release(unsigned owner, std::uintptr_t block)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return std::unexpected(Error::not_owned);
    const std::uint16_t has_it = unit->owner.load(std::memory_order_relaxed);
    if (has_it == number_of(owner)) {
        free(*unit, block);
        return {};
    }
    if (has_it != readers || !leave(*unit, owner))
        return std::unexpected(Error::not_owned);
    free_if_unused(*unit, block);
    return {};
}

Result<void> Blocks::give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies)
{
    if (copies > 1)
        return give_to_all(owner, block, bytes, copies);
    // A broadcast to nobody, too, is a message, which is discarded.
    TRY(owned(owner, block, bytes))->owner.store(in_flight, std::memory_order_relaxed);
    return {};
}

Result<void> Blocks::give_to_all(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies)
{
    const std::uint64_t set = TRY(new_set());
    const sched::ShortGuard guard(heap_.lock());
    const Result<BuddyHeap::Unit*> unit = owned(owner, block, bytes);
    if (!unit) {
        free_set(set);
        return std::unexpected(unit.error());
    }
    (*unit)->readers = set;
    (*unit)->held = 0;
    (*unit)->pending = copies;
    (*unit)->owner.store(readers, std::memory_order_relaxed);
    return {};
}

Result<BuddyHeap::Unit*> Blocks::owned(unsigned owner, std::uintptr_t block, std::size_t bytes)
{
    BuddyHeap::Unit* const unit = heap_.head_at(block);
    if (unit == nullptr || unit->owner.load(std::memory_order_relaxed) != number_of(owner))
        return std::unexpected(Error::not_owned);
    if (bytes > (BuddyHeap::unit_bytes << unit->order))
        return std::unexpected(Error::bad_length);
    return unit;
}

void Blocks::accept(unsigned receiver, std::uintptr_t block)
{
    BuddyHeap::Unit* const unit = heap_.head_at(block);
    if (unit == nullptr)
        return;
    if (unit->owner.load(std::memory_order_relaxed) == in_flight) {
        unit->owner.store(number_of(receiver), std::memory_order_relaxed);
        return;
    }
    const sched::ShortGuard guard(heap_.lock());
    --unit->pending;
    *word_of(*unit, receiver) |= bit_of(receiver);
    ++unit->held;
}

void Blocks::discard(std::uintptr_t block)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return;
    if (unit->owner.load(std::memory_order_relaxed) == in_flight)
        return free(*unit, block);
    --unit->pending;
    free_if_unused(*unit, block);
}

void Blocks::release_all(unsigned owner)
{
    const sched::ShortGuard guard(heap_.lock());
    for (std::size_t index = 0; (index = heap_.next_used(index)) < heap_.units();) {
        BuddyHeap::Unit& unit = heap_.unit(index);
        const std::size_t size = std::size_t{1} << unit.order;
        const auto block = reinterpret_cast<std::uintptr_t>(heap_.address_of(index));
        const std::uint16_t has_it = unit.owner.load(std::memory_order_relaxed);
        if (has_it == number_of(owner))
            free(unit, block);
        else if (has_it == readers && leave(unit, owner))
            free_if_unused(unit, block);
        index += size;
    }
}

Result<std::uint64_t> Blocks::new_set()
{
    if (!has_large_sets())
        return 0;
    const std::size_t bytes = (processes_ + word_bits - 1) / word_bits * sizeof(std::uint64_t);
    auto* const words = reinterpret_cast<std::uint64_t*>(TRY(buffers_.allocate(bytes)));
    for (std::size_t word = 0; word < bytes / sizeof *words; ++word)
        words[word] = 0;
    return reinterpret_cast<std::uintptr_t>(words);
}

void Blocks::free_set(std::uint64_t set)
{
    if (has_large_sets() && set != 0)
        buffers_.release(pointer_to(set));
}

std::uint64_t* Blocks::word_of(BuddyHeap::Unit& unit, unsigned reader) const
{
    if (reader >= processes_)
        return nullptr;
    return has_large_sets() ? reinterpret_cast<std::uint64_t*>(unit.readers) + reader / word_bits
                            : &unit.readers;
}

bool Blocks::leave(BuddyHeap::Unit& unit, unsigned reader)
{
    std::uint64_t* const word = word_of(unit, reader);
    if (word == nullptr || (*word & bit_of(reader)) == 0)
        return false;
    *word &= ~bit_of(reader);
    --unit.held;
    return true;
}

void Blocks::free_if_unused(BuddyHeap::Unit& unit, std::uintptr_t block)
{
    if (unit.pending != 0 || unit.held != 0)
        return;
    if (unit.owner.load(std::memory_order_relaxed) == readers)
        free_set(unit.readers);
    free(unit, block);
}

void Blocks::free(BuddyHeap::Unit& unit, std::uintptr_t block)
{
    unit.owner.store(nobody, std::memory_order_relaxed);
    heap_.release_locked(pointer_to(block));
}

} // namespace parley::messaging
