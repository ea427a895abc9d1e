// SPDX-License-Identifier: MIT
#include "messaging/blocks.hpp"

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
    unit.owner = static_cast<std::uint16_t>(owner);
    unit.readers = 0;
    unit.pending = 0;
    return address;
}

Result<void> Blocks::release(unsigned owner, std::uintptr_t block)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return std::unexpected(Error::not_owned);
    if (unit->owner == owner) {
        heap_.release_locked(pointer_to(block));
        return {};
    }
    const std::uint64_t bit = owner < max_readers ? std::uint64_t{1} << owner : 0;
    if (unit->owner != readers || (unit->readers & bit) == 0)
        return std::unexpected(Error::not_owned);
    unit->readers &= ~bit;
    free_if_unused(*unit, block);
    return {};
}

Result<void> Blocks::give(unsigned owner, std::uintptr_t block, std::size_t bytes, unsigned copies)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr || unit->owner != owner)
        return std::unexpected(Error::not_owned);
    if (bytes > (BuddyHeap::unit_bytes << unit->order))
        return std::unexpected(Error::bad_length);
    unit->owner = copies > 1 ? readers : in_flight;
    unit->pending = copies > 0 ? copies : 1; // a broadcast to nobody is one message that is discarded
    return {};
}

void Blocks::accept(unsigned receiver, std::uintptr_t block)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return;
    --unit->pending;
    if (unit->owner == readers)
        unit->readers |= std::uint64_t{1} << receiver;
    else
        unit->owner = static_cast<std::uint16_t>(receiver);
}

void Blocks::discard(std::uintptr_t block)
{
    const sched::ShortGuard guard(heap_.lock());
    BuddyHeap::Unit* const unit = heap_.block_at(block);
    if (unit == nullptr)
        return;
    --unit->pending;
    free_if_unused(*unit, block);
}

void Blocks::free_if_unused(BuddyHeap::Unit& unit, std::uintptr_t block)
{
    if (unit.pending == 0 && unit.readers == 0)
        heap_.release_locked(pointer_to(block));
}

void Blocks::release_all(unsigned owner)
{
    const sched::ShortGuard guard(heap_.lock());
    const std::uint64_t bit = owner < max_readers ? std::uint64_t{1} << owner : 0;
    for (std::size_t index = 0; (index = heap_.next_used(index)) < heap_.units();) {
        BuddyHeap::Unit& unit = heap_.unit(index);
        const std::size_t size = std::size_t{1} << unit.order;
        const auto block = reinterpret_cast<std::uintptr_t>(heap_.address_of(index));
        if (unit.owner == owner) {
            heap_.release_locked(pointer_to(block));
        } else if (unit.owner == readers && (unit.readers & bit) != 0) {
            unit.readers &= ~bit;
            free_if_unused(unit, block);
        }
        index += size;
    }
}

} // namespace parley::messaging
