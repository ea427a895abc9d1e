// SPDX-License-Identifier: MIT
#include "messaging/memory/buddy_heap.hpp"

#include "assertion.hpp"
#include "base/address.hpp"

namespace parley::messaging {

static_assert(page_bytes % sizeof(BuddyHeap::Unit) == 0, "a unit never crosses a page");

namespace {

// Whole pages, so that the units start on one.
std::size_t bitmap_bytes(std::size_t covered) { return round_up(covered / page_bytes / 8 + 8, page_bytes); }

std::size_t unit_table_bytes(std::size_t arena_bytes)
{
    return round_up(arena_bytes / BuddyHeap::unit_bytes * sizeof(BuddyHeap::Unit), page_bytes);
}

} // namespace

std::size_t BuddyHeap::table_bytes(std::size_t arena_bytes)
{
    return bitmap_bytes(arena_bytes) + bitmap_bytes(unit_table_bytes(arena_bytes)) +
           unit_table_bytes(arena_bytes);
}

BuddyHeap::BuddyHeap(std::byte* arena, std::size_t arena_bytes, std::byte* table)
    : arena_(arena), unit_count_(arena_bytes / unit_bytes),
      arena_pages_(reinterpret_cast<std::uint64_t*>(table)),
      table_pages_(reinterpret_cast<std::uint64_t*>(table + bitmap_bytes(arena_bytes))),
      units_(reinterpret_cast<Unit*>(table + bitmap_bytes(arena_bytes) +
                                     bitmap_bytes(unit_table_bytes(arena_bytes))))
{
}

Result<void> BuddyHeap::start()
{
    auto* const table = reinterpret_cast<std::byte*>(arena_pages_);
    TRY_VOID(
        platform::populate(table, static_cast<std::size_t>(reinterpret_cast<std::byte*>(units_) - table)));
    const sched::ShortGuard guard(lock_);
    // Cover the arena with the largest blocks that fit, last first, so that low addresses are given out
    // first.
    for (std::size_t end = unit_count_; end > 0;) {
        const unsigned order = static_cast<unsigned>(std::countr_zero(end));
        end -= std::size_t{1} << order;
        TRY_VOID(ready_to_insert(end));
        insert(end, order);
        top_order_ = order > top_order_ ? order : top_order_;
    }
    return {};
}

// The page of the table that holds a unit is populated before the unit first heads a block. Every other
// access is to a unit that has headed one: the buddy of a block in use did when the two were split.
Result<void> BuddyHeap::ready_to_insert(std::size_t index)
{
    const std::size_t page = index * sizeof(Unit) / page_bytes;
    const std::uint64_t bit = std::uint64_t{1} << (page % 64);
    if ((table_pages_[page / 64] & bit) != 0)
        return {};
    TRY_VOID(platform::populate(reinterpret_cast<std::byte*>(units_) + page * page_bytes, page_bytes));
    // Release pairs with head_at(), which needs no lock.
    __atomic_fetch_or(&table_pages_[page / 64], bit, __ATOMIC_RELEASE);
    return {};
}

void BuddyHeap::insert(std::size_t index, unsigned order)
{
    Unit& unit = units_[index];
    unit.state = UnitState::free;
    unit.order = static_cast<std::uint8_t>(order);
    unit.previous = 0;
    unit.next = heads_[order];
    if (unit.next != 0)
        units_[unit.next - 1].previous = static_cast<std::uint32_t>(index + 1);
    heads_[order] = static_cast<std::uint32_t>(index + 1);
}

void BuddyHeap::remove(std::size_t index)
{
    Unit& unit = units_[index];
    if (unit.previous != 0)
        units_[unit.previous - 1].next = unit.next;
    else
        heads_[unit.order] = unit.next;
    if (unit.next != 0)
        units_[unit.next - 1].previous = unit.previous;
    unit.state = UnitState::inside;
}

Result<std::byte*> BuddyHeap::allocate(std::size_t bytes)
{
    const sched::ShortGuard guard(lock_);
    return allocate_locked(bytes);
}

Result<std::byte*> BuddyHeap::allocate_locked(std::size_t bytes)
{
    if (bytes > largest())
        return std::unexpected(Error::no_memory);
    const unsigned wanted = order_for(bytes);
    if (wanted < kept_orders && kept_[wanted] != 0) {
        const std::size_t index = kept_[wanted] - 1;
        kept_[wanted] = units_[index].next;
        --kept_count_[wanted];
        take_into_use(units_[index], wanted);
        return address_of(index);
    }
    unsigned order = wanted;
    while (heads_[order] == 0) {
        if (++order > top_order_) {
            clear_shelves();
            return let_go_of_kept() ? allocate_locked(bytes) : std::unexpected(Error::no_memory);
        }
    }
    const std::size_t index = heads_[order] - 1;
    for (unsigned half = wanted; half < order; ++half)
        TRY_VOID(ready_to_insert(index + (std::size_t{1} << half)));
    remove(index);
    while (order > wanted) {
        --order;
        insert(index + (std::size_t{1} << order), order);
    }
    std::byte* const block = address_of(index);
    if (auto populated = populate(block, unit_bytes << wanted); !populated) {
        join(index, wanted);
        return std::unexpected(populated.error());
    }
    take_into_use(units_[index], wanted);
    return block;
}

void BuddyHeap::take_into_use(Unit& unit, unsigned order)
{
    unit.order = static_cast<std::uint8_t>(order);
    unit.state = UnitState::used;
    const std::size_t size = std::size_t{1} << order;
    used_units_.store(used_units_.load(std::memory_order_relaxed) + size, std::memory_order_relaxed);
}

Result<void> BuddyHeap::populate(std::byte* block, std::size_t bytes)
{
    const std::size_t first = static_cast<std::size_t>(block - arena_) / page_bytes;
    const std::size_t last = (static_cast<std::size_t>(block - arena_) + bytes - 1) / page_bytes;
    for (std::size_t page = first; page <= last; ++page) {
        const std::uint64_t bit = std::uint64_t{1} << (page % 64);
        if ((arena_pages_[page / 64] & bit) != 0)
            continue;
        TRY_VOID(platform::populate(arena_ + page * page_bytes, page_bytes));
        arena_pages_[page / 64] |= bit;
    }
    return {};
}

void BuddyHeap::release(std::byte* block)
{
    const sched::ShortGuard guard(lock_);
    release_locked(block);
}

void BuddyHeap::release_locked(std::byte* block)
{
    const std::size_t index = static_cast<std::size_t>(block - arena_) / unit_bytes;
    assert_that([&] { return units_[index].state == UnitState::used; });
    const unsigned order = units_[index].order;
    units_[index].state = UnitState::inside;
    const std::size_t size = std::size_t{1} << order;
    used_units_.store(used_units_.load(std::memory_order_relaxed) - size, std::memory_order_relaxed);
    if (!keep(index, order))
        join(index, order);
}

// A kept block is neither in use nor free to be joined by its buddy.
bool BuddyHeap::keep(std::size_t index, unsigned order)
{
    if (order >= kept_orders || kept_count_[order] == most_kept)
        return false;
    units_[index].next = kept_[order];
    kept_[order] = static_cast<std::uint32_t>(index + 1);
    ++kept_count_[order];
    return true;
}

// False: nothing was kept.
bool BuddyHeap::let_go_of_kept()
{
    bool any = false;
    for (unsigned order = 0; order < kept_orders; ++order) {
        while (kept_[order] != 0) {
            const std::size_t index = kept_[order] - 1;
            kept_[order] = units_[index].next;
            join(index, order);
            any = true;
        }
        kept_count_[order] = 0;
    }
    return any;
}

// What lies there is kept as any block that has been released.
void BuddyHeap::clear_shelves()
{
    for (Shelf& shelf : shelves_)
        for (unsigned order = 0; order < kept_orders; ++order)
            if (std::byte* const block = take_from(shelf, order))
                release_locked(block);
}

std::size_t BuddyHeap::used_units() const
{
    std::size_t used = used_units_.load(std::memory_order_relaxed);
    for (const Shelf& shelf : shelves_)
        for (unsigned order = 0; order < kept_orders; ++order)
            if (shelf.blocks[order].load(std::memory_order_relaxed) != 0)
                used -= std::size_t{1} << order;
    return used;
}

void BuddyHeap::join(std::size_t index, unsigned order)
{
    for (; order < top_order_; ++order) {
        const std::size_t buddy = index ^ (std::size_t{1} << order);
        const bool joins =
            buddy < unit_count_ && units_[buddy].state == UnitState::free && units_[buddy].order == order;
        if (!joins)
            break;
        remove(buddy);
        index = index < buddy ? index : buddy;
    }
    insert(index, order);
}

BuddyHeap::Unit* BuddyHeap::head_at(std::uintptr_t address)
{
    const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(arena_);
    if (offset % unit_bytes != 0 || offset / unit_bytes >= unit_count_)
        return nullptr;
    const std::size_t page = offset / unit_bytes * sizeof(Unit) / page_bytes;
    if ((__atomic_load_n(&table_pages_[page / 64], __ATOMIC_ACQUIRE) >> (page % 64) & 1) == 0)
        return nullptr;
    return &units_[offset / unit_bytes];
}

BuddyHeap::Unit* BuddyHeap::block_at(std::uintptr_t address)
{
    Unit* const unit = head_at(address);
    return unit != nullptr && unit->state == UnitState::used ? unit : nullptr;
}

std::size_t BuddyHeap::next_used(std::size_t index) const
{
    while (index < unit_count_ && units_[index].state != UnitState::used)
        index += std::size_t{1} << units_[index].order;
    return index < unit_count_ ? index : unit_count_;
}

} // namespace parley::messaging
