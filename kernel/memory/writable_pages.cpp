// SPDX-License-Identifier: MIT
#include "kernel/memory/writable_pages.hpp"

#include <algorithm>

namespace parley::kernel {

namespace {

void set_bit(WritablePages::Table& table, std::uintptr_t page)
{
    const std::size_t number = (page - table.start) / page_bytes;
    table.pages[number / 64] |= std::uint64_t{1} << number % 64;
}

} // namespace

WritablePages::Table* WritablePages::first_behind(std::uintptr_t address)
{
    return std::partition_point(tables_, tables_ + count_, [=](const Table& table) {
        return table.start + arch::table_reach <= address;
    });
}

std::span<WritablePages::Table> WritablePages::within(std::uintptr_t start, std::uintptr_t end)
{
    if (start >= end)
        return {};
    Table* const first = first_behind(start);
    Table* const behind =
        std::partition_point(first, tables_ + count_, [=](const Table& table) { return table.start < end; });
    return {first, behind};
}

// The arena takes nothing back, so room doubles: what is left behind is never more than what is in use.
Result<void> WritablePages::make_room()
{
    if (count_ < room_)
        return {};
    const std::size_t room = room_ == 0 ? 8 : 2 * room_;
    auto* tables = reinterpret_cast<Table*>(TRY(arena_.allocate(room * sizeof(Table), alignof(Table))));
    std::copy(tables_, tables_ + count_, tables);
    tables_ = tables;
    room_ = room;
    return {};
}

Result<void> WritablePages::add(std::uintptr_t page)
{
    const std::uintptr_t start = round_down(page, arch::table_reach);
    Table* place = first_behind(start);
    if (place == tables_ + count_ || place->start != start) {
        const std::ptrdiff_t index = place - tables_;
        TRY_VOID(make_room());
        place = tables_ + index;
        std::move_backward(place, tables_ + count_, tables_ + count_ + 1);
        ++count_;
        *place = {start, {}};
    }
    set_bit(*place, page);
    return {};
}

void WritablePages::add_known(std::uintptr_t start, std::uintptr_t end)
{
    for (Table& table : within(start, end)) {
        const std::uintptr_t last = std::min(end, table.start + arch::table_reach);
        for (std::uintptr_t page = std::max(start, table.start); page < last; page += page_bytes)
            set_bit(table, page);
    }
}

} // namespace parley::kernel
