// SPDX-License-Identifier: MIT
#include "studies/cmmp/measuring/fixed_head_disks.hpp"
#include "testing/catch.hpp"

using namespace parley::cmmp;

TEST_CASE("a fixed-head disk serves one request after the other, and processes have disks of their own")
{
    constexpr std::uint64_t turn = 16'670'000;
    FixedHeadDisks disks(turn, 2);
    CHECK(disks.written_at(0, 3, 1'000) == 1'000 + 6 * turn);
    CHECK(disks.read_at(2, 1, 2'000) == 1'000 + 7 * turn); // behind it
    CHECK(disks.read_at(1, 1, 2'000) == 2'000 + turn);     // on the other
    CHECK(disks.read_at(2, 1, 1'000 + 9 * turn) == 1'000 + 10 * turn);
    FixedHeadDisks still(0, 1);
    CHECK(still.written_at(5, 100, 7) == 7);
}
