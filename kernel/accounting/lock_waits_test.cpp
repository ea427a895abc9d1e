// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"
#include "testing/catch.hpp"

#include <algorithm>

namespace parley::kernel {

// In place of the linked kernel's tables.
SourceLocation find_source(std::uint64_t address) { return {address % 2 == 0 ? "even" : "odd", "", 0}; }

} // namespace parley::kernel

using parley::kernel::accounting::LockWaitSites;

TEST_CASE("each site has a number, and those for which there is no room have one together")
{
    LockWaitSites sites;
    const auto site = [](unsigned number) { return reinterpret_cast<const void*>(1000UL + number); };
    for (unsigned number = 0; number < LockWaitSites::room + 2; ++number)
        CHECK(sites.number_of(site(number)) == std::min(number, LockWaitSites::room));
    for (unsigned number = 0; number < LockWaitSites::room; ++number)
        CHECK(sites.number_of(site(number)) == number);
    CHECK(sites.function_of(0) == "odd"); // of the call, which is before where it returns to
    CHECK(sites.function_of(1) == "even");
    CHECK(sites.function_of(LockWaitSites::room) == "(other sites)");
    CHECK(LockWaitSites{}.function_of(0).empty());
}
