// SPDX-License-Identifier: MIT
#include "kernel/memory/regions.hpp"

namespace parley::kernel {

Region* Regions::find(std::uintptr_t address) const
{
    for (Region* region = first_; region != nullptr && region->start <= address; region = region->next) {
        if (address < region->end)
            return region;
    }
    return nullptr;
}

bool Regions::covered(std::uintptr_t start, std::uintptr_t end) const
{
    while (start < end) {
        const Region* region = find(start);
        if (region == nullptr)
            return false;
        start = region->end;
    }
    return true;
}

bool Regions::overlaps(std::uintptr_t start, std::uintptr_t end) const
{
    for (const Region* region = first_; region != nullptr; region = region->next) {
        if (region->start < end && start < region->end)
            return true;
    }
    return false;
}

Result<Region*> Regions::record()
{
    if (spare_ == nullptr)
        return arena_.create<Region>();
    Region* region = spare_;
    spare_ = region->next;
    return region;
}

Result<void> Regions::insert(std::uintptr_t start, std::uintptr_t end, Protection protection, bool shared)
{
    if (overlaps(start, end))
        return std::unexpected(Error::bad_argument);
    Region* region = TRY(record());
    Region** place = &first_;
    while (*place != nullptr && (*place)->start < start)
        place = &(*place)->next;
    *region = {*place, start, end, protection, shared};
    *place = region;
    return {};
}

Result<void> Regions::split(std::uintptr_t address)
{
    Region* lower = find(address);
    if (lower == nullptr || lower->start == address)
        return {};
    Region* upper = TRY(record());
    *upper = *lower;
    upper->start = address;
    lower->end = address;
    lower->next = upper;
    return {};
}

Result<void> Regions::erase(std::uintptr_t start, std::uintptr_t end)
{
    TRY_VOID(split(start));
    TRY_VOID(split(end));
    for (Region** place = &first_; *place != nullptr;) {
        Region* region = *place;
        if (region->start < start || region->start >= end) {
            place = &region->next;
            continue;
        }
        *place = region->next;
        region->next = spare_;
        spare_ = region;
    }
    return {};
}

Result<void> Regions::protect(std::uintptr_t start, std::uintptr_t end, Protection protection)
{
    TRY_VOID(split(start));
    TRY_VOID(split(end));
    for (Region* region = first_; region != nullptr; region = region->next) {
        if (region->start >= start && region->start < end)
            region->protection = protection;
    }
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
    for (const Region* region = first_; region != nullptr; region = region->next) {
        if (region->end <= place)
            continue;
        if (region->start >= range.end || (region->start > place && bytes <= region->start - place))
            break;
        place = region->end;
    }
    if (place + bytes < place || place + bytes > range.end)
        return std::unexpected(Error::no_memory);
    return place;
}

} // namespace parley::kernel
