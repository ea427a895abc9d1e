// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"

namespace parley::kernel::accounting {

LockWaits::PlaceInText& LockWaits::find(const void* place)
{
    for (PlaceInText& known : places_) {
        const void* found = known.returns_to.load(std::memory_order_relaxed);
        if (found == nullptr)
            known.returns_to.compare_exchange_strong(found, place, std::memory_order_relaxed);
        if (found == place || found == nullptr)
            return known;
    }
    return places_.back();
}

void LockWaits::add(const void* place, std::uint64_t cycles) { find(place).waited.add(cycles); }

LockWaits::Sums LockWaits::sums() const
{
    Sums found;
    for (unsigned number = 0; number < room; ++number)
        found[number] = places_[number].waited.value();
    return found;
}

// A call at a function's end returns behind it.
std::string_view LockWaits::function_of(unsigned number) const
{
    const auto place =
        reinterpret_cast<std::uintptr_t>(places_[number].returns_to.load(std::memory_order_relaxed));
    return place == 0 ? std::string_view() : find_source(place - 1).function;
}

} // namespace parley::kernel::accounting
