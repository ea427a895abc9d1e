// SPDX-License-Identifier: MIT
// Times computed by hand, of C.mmp's banks: 585 ns a reference of two bytes, 671 in a slow one.
#include "tools/machine_model/banked_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

BankedMemory machine(unsigned processors)
{
    return {processors, {.word = 2, .width = 4096, .banks = {585'000, 671'000}}};
}

} // namespace

TEST_CASE("every word is a reference, read, written or fetched, however often it has been used")
{
    BankedMemory memory = machine(1);
    CHECK(memory.read({0, 0, 2, 0}) == 585'000);
    CHECK(memory.read({0, 0, 2, 1'000'000}) == 585'000);
    CHECK(memory.write({0, 0, 8, 2'000'000}) == 4 * 585'000);
    CHECK(memory.fetch({0, 1, 3, 9'000'000}) == 2 * 585'000); // bytes of two words
    CHECK(memory.counts(0).reads == 2);
    CHECK(memory.counts(0).writes == 4);
    CHECK(memory.counts(0).fetches == 2);
}

TEST_CASE("addresses of a width lie in one bank, and each bank has its own time")
{
    BankedMemory memory = machine(1);
    CHECK(memory.read({0, 4096, 2, 0}) == 671'000);
    CHECK(memory.read({0, 8192, 2, 1'000'000}) == 585'000);
    CHECK(memory.read({0, 4094, 4, 2'000'000}) == 585'000 + 671'000);
}

TEST_CASE("who wants the same bank waits, who wants another does not")
{
    BankedMemory memory = machine(3);
    CHECK(memory.read({0, 0, 2, 0}) == 585'000);
    CHECK(memory.read({1, 100, 2, 0}) == 2 * 585'000);
    CHECK(memory.read({2, 4096, 2, 0}) == 671'000);
    CHECK(memory.counts(1).bus_waiting == 585'000);
    CHECK(memory.counts(2).bus_waiting == 0);
}
