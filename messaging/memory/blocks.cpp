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
    Atomic<std::uintptr_t>* const slot = listed(owner, block);
    const std::uint16_t has_it = unit->owner.load(std::memory_order_relaxed);
    if (slot != nullptr || has_it == number_of(owner)) {
        if (slot != nullptr)
            slot->store(0, std::memory_order_relaxed);
        free(*unit, block);
        return {};
    }
    if (has_it != readers || !leave(*unit, owner))
        return std::unexpected(Error::not_owned);
    free_if_unused(*unit, block);
    return {};
}

Result<std::uintptr_t> Blocks::give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies)
{
    Atomic<std::uintptr_t>* const slot = listed(owner, block);
    if (copies > 1) {
        if (slot != nullptr) {
            heap_.head_at(block)->owner.store(number_of(owner), std::memory_order_relaxed);
            slot->store(0, std::memory_order_relaxed);
        }
        TRY_VOID(give_to_all(owner, block, bytes, copies));
        return block;
    }
    // A broadcast to nobody, too, is a message, which is discarded.
    if (slot == nullptr) {
        BuddyHeap::Unit& unit = *TRY(owned(owner, block, bytes));
        unit.owner.store(in_flight, std::memory_order_relaxed);
        return alone(block, unit.order);
    }
    const std::uintptr_t carried = slot->load(std::memory_order_relaxed);
    if (bytes > size_of(carried))
        return std::unexpected(Error::bad_length);
    slot->store(0, std::memory_order_relaxed);
    return carried;
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

std::uintptr_t Blocks::accept_slowly(unsigned receiver, std::uintptr_t carried)
{
    const std::uintptr_t block = address_in(carried);
    if (is_alone(carried)) {
        list(receiver, carried);
        return block;
    }
    BuddyHeap::Unit* const unit = heap_.head_at(block);
    if (unit == nullptr)
        return block;
    const sched::ShortGuard guard(heap_.lock());
    --unit->pending;
    *word_of(*unit, receiver) |= bit_of(receiver);
    ++unit->held;
    return block;
}

void Blocks::discard(std::uintptr_t carried)
{
    const std::uintptr_t block = address_in(carried);
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return;
    if (is_alone(carried)) {
        if (unit->owner.load(std::memory_order_relaxed) == in_flight && !is_listed(carried))
            free(*unit, block);
        return;
    }
    --unit->pending;
    free_if_unused(*unit, block);
}

Atomic<std::uintptr_t>* Blocks::listed(unsigned process, std::uintptr_t block)
{
    if (process >= received_.size() || (block & order_bits) != 0)
        return nullptr;
    for (Atomic<std::uintptr_t>& slot : received_[process].carried)
        if (carries(slot.load(std::memory_order_relaxed), block))
            return &slot;
    return nullptr;
}

void Blocks::list(unsigned process, std::uintptr_t carried)
{
    if (process >= received_.size()) {
        heap_.head_at(address_in(carried))->owner.store(number_of(process), std::memory_order_relaxed);
        return;
    }
    auto& slots = received_[process].carried;
    for (Atomic<std::uintptr_t>& slot : slots)
        if (slot.load(std::memory_order_relaxed) == 0)
            return slot.store(carried, std::memory_order_relaxed);
    Atomic<std::uintptr_t>& slot = slots[carried / BuddyHeap::unit_bytes % std::size(slots)];
    const std::uintptr_t noted = address_in(slot.load(std::memory_order_relaxed));
    heap_.head_at(noted)->owner.store(number_of(process), std::memory_order_relaxed);
    slot.store(carried, std::memory_order_relaxed);
}

bool Blocks::is_listed(std::uintptr_t carried) const
{
    for (const Received& received : received_)
        for (const Atomic<std::uintptr_t>& slot : received.carried)
            if (slot.load(std::memory_order_relaxed) == carried)
                return true;
    return false;
}

void Blocks::release_all(unsigned owner)
{
    const sched::ShortGuard guard(heap_.lock());
    if (owner < received_.size())
        for (Atomic<std::uintptr_t>& slot : received_[owner].carried)
            if (const std::uintptr_t carried = slot.exchange(0, std::memory_order_relaxed); carried != 0) {
                const std::uintptr_t block = address_in(carried);
                free(*heap_.block_at(block), block);
            }
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
    const std::size_t bytes = (received_.size() + word_bits - 1) / word_bits * sizeof(std::uint64_t);
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
    if (reader >= received_.size())
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
