// SPDX-License-Identifier: MIT
#include "kernel/accounting/lock_waits.hpp"

#include "kernel/report/symbols.hpp"
#include "testing/catch.hpp"

#include <memory>

namespace parley::kernel {

// In place of the linked kernel's tables.
SourceLocation find_source(std::uint64_t address) { return {address % 2 == 0 ? "even" : "odd", "", 0}; }

} // namespace parley::kernel

using parley::kernel::accounting::LockWaits;

TEST_CASE("waits are summed by site, and those for which there is no room have a sum of their own")
{
    const auto waits = std::make_unique<LockWaits>();
    const auto site = [](unsigned number) { return reinterpret_cast<const void*>(1000UL + number); };
    for (unsigned number = 0; number < LockWaits::room + 2; ++number)
        waits->add(site(number), 10 + number);
    waits->add(site(LockWaits::room - 1), 5);
    const LockWaits::Sums sums = waits->sums();
    CHECK(sums[0].cycles == 10);
    CHECK(sums[LockWaits::room - 1].times == 2);
    CHECK(sums[LockWaits::room - 1].cycles == 10 + LockWaits::room - 1 + 5);
    CHECK(sums[LockWaits::room].times == 2);
    CHECK(sums[LockWaits::room].cycles == 10 + LockWaits::room + 10 + LockWaits::room + 1);
    CHECK(waits->function_of(0) == "odd"); // of the call, which is before where it returns to
    CHECK(waits->function_of(1) == "even");
    CHECK(waits->function_of(LockWaits::room) == "(other places)");
}
