// SPDX-License-Identifier: MIT
#include "arch/x86_64/page_table.hpp"

#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/registers.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace parley::arch {

namespace {

constexpr std::uint64_t present = 1;
constexpr std::uint64_t writable_bit = 2;
constexpr std::uint64_t user_bit = 4;
constexpr std::uint64_t no_cache = 0x18;
constexpr std::uint64_t dirty = 0x40; // set by processors, at any time
constexpr std::uint64_t large = 0x80;
constexpr std::uint64_t withdrawn = 0x200; // one of the processor's free bits: a frame without `present`
constexpr std::uint64_t no_execute = std::uint64_t{1} << 63;
constexpr std::uint64_t address_mask = 0x000f'ffff'ffff'f000;
constexpr std::size_t entries = 512;
constexpr std::size_t kernel_half = 256;

constinit PhysAddr kernel_root;

std::uint64_t bits(PageRights rights)
{
    return (rights.present ? present : withdrawn) | (rights.write ? writable_bit : 0) |
           (rights.user ? user_bit : 0) | (rights.device ? no_cache : 0) | (rights.execute ? 0 : no_execute);
}

// Whether an entry has a table or a frame, touchable or not.
constexpr bool filled(std::uint64_t entry) { return (entry & (present | withdrawn)) != 0; }

constexpr unsigned shift_of(int level) { return 12 + 9 * static_cast<unsigned>(level); }

std::size_t index(std::uintptr_t address, int level) { return address >> shift_of(level) & (entries - 1); }

std::uint64_t* table_of(std::uint64_t entry)
{
    return to_pointer<std::uint64_t>(PhysAddr{entry & address_mask});
}

// Visit every filled leaf of [start, end) below one table; whole missing subtrees are skipped.
template <class Visit>
void for_each_leaf(std::uint64_t* table, int level, std::uintptr_t start, std::uintptr_t end,
                   const Visit& visit)
{
    const std::uintptr_t step = std::uintptr_t{1} << shift_of(level);
    for (std::uintptr_t at = start; at < end; at = round_down(at, step) + step) {
        std::uint64_t& entry = table[index(at, level)];
        if (!filled(entry))
            continue;
        const std::uintptr_t next = round_down(at, step) + step;
        if (level == 0)
            visit(at, entry);
        else
            for_each_leaf(table_of(entry), level - 1, at, next < end ? next : end, visit);
    }
}

// Where the filled leaves of [start, end) below one table are more than so many; `end` if they are not, and
// `leaves` is how many are left then.
std::uintptr_t end_of_leaves(const std::uint64_t* table, int level, std::uintptr_t start, std::uintptr_t end,
                             std::size_t& leaves)
{
    const std::uintptr_t step = std::uintptr_t{1} << shift_of(level);
    for (std::uintptr_t at = start; at < end; at = round_down(at, step) + step) {
        const std::uint64_t entry = table[index(at, level)];
        if (!filled(entry))
            continue;
        if (level > 0) {
            const std::uintptr_t next = std::min(round_down(at, step) + step, end);
            const std::uintptr_t found = end_of_leaves(table_of(entry), level - 1, at, next, leaves);
            if (found < next)
                return found;
        } else if (leaves == 0)
            return at;
        else
            --leaves;
    }
    return end;
}

void free_subtables(std::uint64_t entry, int level, FrameSource& frames)
{
    if (level > 0) {
        const std::uint64_t* table = table_of(entry);
        for (std::size_t i = 0; i < entries; ++i) {
            if ((table[i] & present) != 0)
                free_subtables(table[i], level - 1, frames);
        }
    }
    frames.free_frame(PhysAddr{entry & address_mask});
}

} // namespace

void* to_pointer(PhysAddr address) { return reinterpret_cast<void*>(DIRECT_MAP_BASE + address.value); }

PhysAddr direct_map_address(const void* pointer)
{
    return {reinterpret_cast<std::uintptr_t>(pointer) - DIRECT_MAP_BASE};
}

Result<PageTable> PageTable::create(FrameSource& frames)
{
    const PhysAddr root = TRY(frames.allocate_frame());
    auto* table = to_pointer<std::uint64_t>(root);
    const auto* kernel = to_pointer<std::uint64_t>(kernel_root);
    for (std::size_t i = kernel_half; i < entries; ++i)
        table[i] = kernel[i];
    return PageTable(root);
}

std::uint64_t* PageTable::entry(std::uintptr_t page) const
{
    auto* table = to_pointer<std::uint64_t>(root_);
    for (int level = 3; level > 0; --level) {
        const std::uint64_t next = table[index(page, level)];
        if ((next & present) == 0 || (next & large) != 0)
            return nullptr;
        table = table_of(next);
    }
    return &table[index(page, 0)];
}

Result<std::uint64_t*> PageTable::make_entry(std::uintptr_t page, FrameSource& frames)
{
    auto* table = to_pointer<std::uint64_t>(root_);
    const bool user = page < DIRECT_MAP_BASE;
    for (int level = 3; level > 0; --level) {
        std::uint64_t& next = table[index(page, level)];
        if ((next & present) == 0)
            next = TRY(frames.allocate_frame()).value | present | writable_bit | (user ? user_bit : 0);
        table = table_of(next);
    }
    return &table[index(page, 0)];
}

Result<void> PageTable::map(std::uintptr_t page, PhysAddr frame, PageRights rights, FrameSource& frames)
{
    std::uint64_t* place = TRY(make_entry(page, frames));
    *place = frame.value | bits(rights);
    invalidate_page(page);
    return {};
}

Result<PhysAddr> PageTable::find(std::uintptr_t page) const
{
    const std::uint64_t* place = entry(page);
    if (place == nullptr || !filled(*place))
        return std::unexpected(Error::not_found);
    return PhysAddr{*place & address_mask};
}

bool PageTable::writable(std::uintptr_t page) const
{
    const std::uint64_t* place = entry(page);
    return place != nullptr && (*place & (present | writable_bit)) == (present | writable_bit);
}

unsigned PageTable::clean(std::uintptr_t start, PageBits& pages)
{
    std::uint64_t* const leaves = entry(start);
    if (leaves == nullptr) {
        pages = {};
        return 0;
    }
    unsigned cleaned = 0;
    for (std::size_t word = 0; word < pages.size(); ++word) {
        for (std::uint64_t left = pages[word]; left != 0; left &= left - 1) {
            std::uint64_t& leaf = leaves[64 * word + static_cast<unsigned>(std::countr_zero(left))];
            if ((leaf & dirty) != 0) {
                std::atomic_ref(leaf).fetch_and(~dirty, std::memory_order_relaxed);
                ++cleaned;
            } else if ((leaf & (present | writable_bit)) != (present | writable_bit))
                pages[word] &= ~(left & -left);
        }
    }
    return cleaned;
}

void PageTable::mark_dirty(std::uintptr_t page)
{
    if (std::uint64_t* const place = entry(page); place != nullptr && filled(*place))
        std::atomic_ref(*place).fetch_or(dirty, std::memory_order_relaxed);
}

void PageTable::clear(std::uintptr_t start, std::uintptr_t end, FrameSource* free_leaves)
{
    for_each_leaf(to_pointer<std::uint64_t>(root_), 3, start, end,
                  [&](std::uintptr_t page, std::uint64_t& leaf) {
                      const PhysAddr frame{leaf & address_mask};
                      leaf = 0;
                      invalidate_page(page);
                      if (free_leaves != nullptr)
                          free_leaves->free_frame(frame);
                  });
}

std::uintptr_t PageTable::end_of(std::size_t pages, std::uintptr_t start, std::uintptr_t end) const
{
    return end_of_leaves(to_pointer<std::uint64_t>(root_), 3, start, end, pages);
}

bool PageTable::protect(std::uintptr_t start, std::uintptr_t end, PageRights rights)
{
    bool found = false;
    for_each_leaf(
        to_pointer<std::uint64_t>(root_), 3, start, end, [&](std::uintptr_t page, std::uint64_t& leaf) {
            // Another processor may set the dirty bit between the look and the store.
            const std::atomic_ref entry(leaf);
            std::uint64_t before = entry.load(std::memory_order_relaxed);
            while (!entry.compare_exchange_weak(before, (before & (address_mask | dirty)) | bits(rights),
                                                std::memory_order_relaxed)) { }
            invalidate_page(page);
            found = true;
        });
    return found;
}

void PageTable::free_tables(std::uintptr_t start, std::uintptr_t end, FrameSource& frames)
{
    // Whole entries of the top level, or (inside a window) of the level below, so that no neighbour loses its
    // tables.
    auto* table = to_pointer<std::uint64_t>(root_);
    int level = 3;
    if (end - start < std::uintptr_t{1} << shift_of(3)) {
        const std::uint64_t top = table[index(start, 3)];
        if ((top & present) == 0)
            return;
        table = table_of(top);
        level = 2;
    }
    const std::uintptr_t step = std::uintptr_t{1} << shift_of(level);
    for (std::uintptr_t at = start; at < end; at += step) {
        std::uint64_t& entry = table[index(at, level)];
        if ((entry & present) == 0)
            continue;
        free_subtables(entry, level - 1, frames);
        entry = 0;
    }
}

void PageTable::activate() const { write_cr3(root_.value); }

namespace {

extern "C" char text_start[], text_end[], rodata_end[], kernel_end[];

std::uintptr_t address_of(const char* symbol) { return reinterpret_cast<std::uintptr_t>(symbol); }

Result<void> map_image(PageTable& table, const char* start, const char* end, PageRights rights,
                       FrameSource& frames)
{
    for (std::uintptr_t page = address_of(start); page < address_of(end); page += page_bytes)
        TRY_VOID(table.map(page, PhysAddr{page - KERNEL_BASE}, rights, frames));
    return {};
}

// 2 MiB pages: the direct map is data for the kernel alone.
Result<void> map_directly(PhysAddr root, std::uint64_t bytes, FrameSource& frames)
{
    auto* top = to_pointer<std::uint64_t>(root);
    const PhysAddr upper = TRY(frames.allocate_frame());
    top[kernel_half] = upper.value | present | writable_bit;
    constexpr std::uint64_t gibibyte = 1 << 30;
    for (std::uint64_t at = 0; at < bytes; at += gibibyte) {
        const PhysAddr lower = TRY(frames.allocate_frame());
        to_pointer<std::uint64_t>(upper)[at / gibibyte] = lower.value | present | writable_bit;
        for (std::size_t i = 0; i < entries; ++i)
            to_pointer<std::uint64_t>(lower)[i] =
                (at + i * 0x200000) | present | writable_bit | large | no_execute;
    }
    return {};
}

} // namespace

Result<PageTable> build_kernel_table(std::uint64_t physical_bytes, FrameSource& frames)
{
    kernel_root = TRY(frames.allocate_frame());
    PageTable table(kernel_root);
    TRY_VOID(map_directly(kernel_root, physical_bytes, frames));
    TRY_VOID(map_image(table, text_start, text_end, {.execute = true}, frames));
    TRY_VOID(map_image(table, text_end, rodata_end, {}, frames));
    TRY_VOID(map_image(table, rodata_end, kernel_end, {.write = true}, frames));
    // Domains copy the upper half's top entries once, so these must exist before the first domain.
    const PhysAddr windows = TRY(frames.allocate_frame());
    to_pointer<std::uint64_t>(kernel_root)[index(WINDOW_BASE, 3)] = windows.value | present | writable_bit;
    return table;
}

PageTable kernel_table() { return PageTable(kernel_root); }

} // namespace parley::arch
