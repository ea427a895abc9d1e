// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"

namespace parley::kernel::accounting {

unsigned LockWaitSites::number_of(const void* site)
{
    for (unsigned number = 0; number < room; ++number) {
        const void* found = sites_[number].load(std::memory_order_relaxed);
        if (found == nullptr)
            sites_[number].compare_exchange_strong(found, site, std::memory_order_relaxed);
        if (found == site || found == nullptr)
            return number;
    }
    return room;
}

// A call at a function's end returns behind it.
std::string_view LockWaitSites::function_of(unsigned number) const
{
    if (number >= room)
        return "(other sites)";
    const auto site = reinterpret_cast<std::uintptr_t>(sites_[number].load(std::memory_order_relaxed));
    return site == 0 ? std::string_view() : find_source(site - 1).function;
}

} // namespace parley::kernel::accounting
