// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"

namespace parley::kernel::accounting {

LockWaits::Place& LockWaits::entry_of(const void* place)
{
    for (Place& entry : places_) {
        const void* found = entry.place.load(std::memory_order_relaxed);
        if (found == nullptr)
            entry.place.compare_exchange_strong(found, place, std::memory_order_relaxed);
        if (found == place || found == nullptr)
            return entry;
    }
    return places_.back();
}

void LockWaits::add(const void* place, std::uint64_t cycles)
{
    Place& entry = entry_of(place);
    entry.cycles.fetch_add(cycles, std::memory_order_relaxed);
    entry.times.fetch_add(1, std::memory_order_relaxed);
}

LockWaits::Sums LockWaits::sums() const
{
    Sums found;
    for (unsigned number = 0; number < room; ++number)
        found[number] = {places_[number].cycles.load(std::memory_order_relaxed),
                         places_[number].times.load(std::memory_order_relaxed)};
    return found;
}

// A call at a function's end returns behind it.
std::string_view LockWaits::function_of(unsigned number) const
{
    const auto place =
        reinterpret_cast<std::uintptr_t>(places_[number].place.load(std::memory_order_relaxed));
    return place == 0 ? std::string_view() : find_source(place - 1).function;
}

} // namespace parley::kernel::accounting
