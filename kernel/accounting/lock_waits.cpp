// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"

namespace parley::kernel::accounting {

LockWaitSum& LockWaits::sum_of(const void* site)
{
    for (WaitSite& known : sites_) {
        const void* found = known.returns_to.load(std::memory_order_relaxed);
        if (found == nullptr)
            known.returns_to.compare_exchange_strong(found, site, std::memory_order_relaxed);
        if (found == site || found == nullptr)
            return known.waited;
    }
    return others_;
}

void LockWaits::add(const void* site, std::uint64_t cycles) { sum_of(site).add(cycles); }

LockWaits::Sums LockWaits::sums() const
{
    Sums found;
    for (unsigned number = 0; number < room; ++number)
        found[number] = sites_[number].waited.value();
    found[room] = others_.value();
    return found;
}

// A call at a function's end returns behind it.
std::string_view LockWaits::function_of(unsigned number) const
{
    if (number >= room)
        return "(other places)";
    const auto site =
        reinterpret_cast<std::uintptr_t>(sites_[number].returns_to.load(std::memory_order_relaxed));
    return site == 0 ? std::string_view() : find_source(site - 1).function;
}

} // namespace parley::kernel::accounting
