// SPDX-License-Identifier: MIT
#include "kernel/memory/regions.hpp"

#include <algorithm>

namespace parley::kernel {

std::size_t Regions::first_behind(std::uintptr_t address) const
{
    const Region* place = std::partition_point(records_, records_ + count_,
                                               [=](const Region& region) { return region.end <= address; });
    return static_cast<std::size_t>(place - records_);
}

const Region* Regions::find(std::uintptr_t address) const
{
    const std::size_t index = first_behind(address);
    return index < count_ && records_[index].start <= address ? &records_[index] : nullptr;
}

std::span<const Region> Regions::within(std::uintptr_t start, std::uintptr_t end) const
{
    if (start >= end)
        return {};
    const std::span<const Region> behind = all().subspan(first_behind(start));
    const auto last = std::partition_point(behind.begin(), behind.end(),
                                           [=](const Region& region) { return region.start < end; });
    return behind.first(static_cast<std::size_t>(last - behind.begin()));
}

bool Regions::covered(std::uintptr_t start, std::uintptr_t end) const
{
    for (const Region& region : within(start, end)) {
        if (region.start > start)
            return false;
        start = region.end;
    }
    return start >= end;
}

// The arena takes nothing back, so room doubles: what is left behind is never more than what is in use.
Result<void> Regions::make_room(std::size_t more)
{
    if (count_ + more > max_regions)
        return std::unexpected(Error::no_memory);
    if (count_ + more <= room_)
        return {};
    const std::size_t room = room_ == 0 ? 32 : 2 * room_;
    auto* records = reinterpret_cast<Region*>(TRY(arena_.allocate(room * sizeof(Region), alignof(Region))));
    std::copy(records_, records_ + count_, records);
    records_ = records;
    room_ = room;
    return {};
}

void Regions::open_gap(std::size_t index)
{
    std::move_backward(records_ + index, records_ + count_, records_ + count_ + 1);
    ++count_;
}

void Regions::close_gap(std::size_t first, std::size_t last)
{
    std::move(records_ + last, records_ + count_, records_ + first);
    count_ -= last - first;
}

bool Regions::cuts(std::uintptr_t address) const
{
    const Region* region = find(address);
    return region != nullptr && region->start < address;
}

void Regions::split(std::uintptr_t address)
{
    if (!cuts(address))
        return;
    const std::size_t index = first_behind(address);
    open_gap(index);
    records_[index].end = address;
    records_[index + 1].start = address;
}

void Regions::join(std::size_t first, std::size_t last)
{
    std::size_t kept = first;
    for (std::size_t index = first + 1; index <= last && index < count_; ++index) {
        Region& before = records_[kept];
        const Region& next = records_[index];
        if (before.end == next.start && before.is_like(next))
            before.end = next.end;
        else
            records_[++kept] = next;
    }
    if (kept < last && first < count_)
        close_gap(kept + 1, std::min(last + 1, count_));
}

Result<void> Regions::insert(std::uintptr_t start, std::uintptr_t end, Protection protection, bool shared)
{
    if (overlaps(start, end))
        return std::unexpected(Error::bad_argument);
    TRY_VOID(make_room(1));
    const std::size_t index = first_behind(start);
    open_gap(index);
    records_[index] = {start, end, protection, shared};
    join(index == 0 ? 0 : index - 1, index + 1);
    return {};
}

Result<void> Regions::prepare_to_erase(std::uintptr_t start, std::uintptr_t end)
{
    const Region* region = find(start);
    // Only a hole in the middle of one region makes them more.
    const bool leaves_two = region != nullptr && region->start < start && region->end > end;
    return make_room(leaves_two ? 1 : 0);
}

Result<void> Regions::erase(std::uintptr_t start, std::uintptr_t end)
{
    TRY_VOID(prepare_to_erase(start, end));
    const std::size_t first = first_behind(start);
    const std::span<const Region> touched = within(start, end);
    if (touched.empty())
        return {};
    Region& lowest = records_[first];
    if (lowest.start < start && lowest.end > end) {
        split(end);
        records_[first].end = start;
        return {};
    }
    std::size_t gone = first, behind = first + touched.size();
    if (lowest.start < start) {
        lowest.end = start;
        ++gone;
    }
    if (behind > gone && records_[behind - 1].end > end)
        records_[--behind].start = end;
    close_gap(gone, behind);
    return {};
}

Result<void> Regions::protect(std::uintptr_t start, std::uintptr_t end, Protection protection)
{
    TRY_VOID(make_room((cuts(start) ? 1 : 0) + (cuts(end) ? 1 : 0)));
    split(start);
    split(end);
    const std::size_t first = first_behind(start);
    const std::size_t behind = first + within(start, end).size();
    for (std::size_t index = first; index < behind; ++index)
        records_[index].protection = protection;
    join(first == 0 ? 0 : first - 1, behind);
    return {};
}

Result<std::uintptr_t> Regions::free_place(std::size_t bytes) const
{
    const Result<std::uintptr_t> low = free_place_in(low_places, bytes);
    return low ? low : free_place_in(high_places, bytes);
}

Result<std::uintptr_t> Regions::free_place_in(Range range, std::size_t bytes) const
{
    std::uintptr_t place = range.start;
    for (const Region& region : within(range.start, range.end)) {
        if (region.start > place && bytes <= region.start - place)
            break;
        place = region.end;
    }
    if (place + bytes < place || place + bytes > range.end)
        return std::unexpected(Error::no_memory);
    return place;
}

} // namespace parley::kernel
