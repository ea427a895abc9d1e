// SPDX-License-Identifier: MIT
// What the instrument counts: processors that are at the same bank.
#include "studies/cmmp/measuring/memory_banks.hpp"

#include "testing/catch.hpp"

#include <string>

namespace parley::cmmp {

namespace {

std::string taken(MemoryBanks& banks)
{
    std::string text;
    banks.take_samples([&](unsigned bank, unsigned load, std::uint64_t samples) {
        text += std::to_string(bank) + ":" + std::to_string(load) + ":" + std::to_string(samples) + " ";
    });
    return text;
}

} // namespace

TEST_CASE("a processor counts those that were last seen at its bank", "[banks]")
{
    MemoryBanks banks(3);
    banks.note(0, 2);
    banks.note(1, 2);
    banks.note(2, 0);
    banks.note(0, 2);
    CHECK(taken(banks) == "0:1:1 2:1:1 2:2:2 ");
    // The samples have been taken, and where processors were is forgotten with them.
    banks.note(1, 2);
    CHECK(taken(banks) == "2:1:1 ");
    // One is at no program's instruction any more, so at no bank, the first neither.
    banks.note(0, 2);
    banks.note(0, std::nullopt);
    banks.note(1, 2);
    banks.note(2, 0);
    CHECK(taken(banks) == "0:1:1 2:1:2 ");
}

TEST_CASE("more processors at a bank than C.mmp had count as so many", "[banks]")
{
    MemoryBanks banks(1);
    for (unsigned processor = 0; processor < 20; ++processor)
        banks.note(processor, 0);
    CHECK(taken(banks).ends_with("0:15:1 0:16:5 "));
}

} // namespace parley::cmmp
