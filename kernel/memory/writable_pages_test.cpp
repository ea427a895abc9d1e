// SPDX-License-Identifier: MIT
#include "kernel/memory/writable_pages.hpp"

#include "kernel/program/host_arena.hpp"
#include "testing/catch.hpp"

#include <random>
#include <set>

using namespace parley;
using namespace parley::kernel;
using parley::kernel::testing::HostArena;

namespace {

constexpr std::uintptr_t end_of_all = std::uintptr_t{1} << 47;

std::set<std::uintptr_t> pages_within(WritablePages& writable, std::uintptr_t start, std::uintptr_t end)
{
    std::set<std::uintptr_t> pages;
    std::uintptr_t before = 0;
    for (const WritablePages::Table& table : writable.within(start, end)) {
        CHECK(table.start % arch::table_reach == 0);
        CHECK((pages.empty() || table.start > before));
        before = table.start;
        for (std::size_t number = 0; number < 64 * table.pages.size(); ++number)
            if ((table.pages[number / 64] >> number % 64 & 1) != 0)
                pages.insert(table.start + number * page_bytes);
    }
    return pages;
}

} // namespace

TEST_CASE("writable pages are those that have appeared, once each")
{
    HostArena arena;
    WritablePages writable(arena);
    CHECK(writable.within(0, end_of_all).empty());
    std::set<std::uintptr_t> wanted;
    std::mt19937 random(12);
    for (int i = 0; i < 4000; ++i) {
        const std::uintptr_t page =
            (random() % 40 * 0x1'0000'0000 + random() % 3 * arch::table_reach) + random() % 512 * page_bytes;
        REQUIRE(writable.add(page));
        wanted.insert(page);
    }
    CHECK(pages_within(writable, 0, end_of_all) == wanted);
    CHECK(writable.within(0, end_of_all).size() == 40 * 3);
}

TEST_CASE("writable pages of a part of the addresses are those of its tables")
{
    HostArena arena;
    WritablePages writable(arena);
    for (const std::uintptr_t number : {7, 1, 4, 2})
        REQUIRE(writable.add(number * arch::table_reach + 3 * page_bytes));
    const auto first = [&](std::uintptr_t from, std::uintptr_t to) {
        std::set<std::uintptr_t> numbers;
        for (const WritablePages::Table& table :
             writable.within(from * arch::table_reach, to * arch::table_reach))
            numbers.insert(table.start / arch::table_reach);
        return numbers;
    };
    CHECK(first(0, 8) == std::set<std::uintptr_t>{1, 2, 4, 7});
    CHECK(first(2, 7) == std::set<std::uintptr_t>{2, 4});
    CHECK(first(3, 4).empty());
    CHECK(first(8, 9).empty());
    CHECK(first(4, 4).empty());
}

TEST_CASE("writable pages change nothing when their memory is used up")
{
    HostArena arena;
    WritablePages writable(arena);
    REQUIRE(writable.add(0));
    const std::size_t room = arena.used / sizeof(WritablePages::Table);
    arena.limit = arena.used;
    std::uintptr_t number = 1;
    for (; number < room; ++number)
        REQUIRE(writable.add(number * arch::table_reach));
    CHECK(writable.add(number * arch::table_reach).error() == Error::no_memory);
    CHECK(writable.within(0, end_of_all).size() == room);
    CHECK(writable.add(page_bytes)); // where a table is known there is room
}

TEST_CASE("pages may be written to again where pages of their tables have appeared")
{
    HostArena arena;
    WritablePages writable(arena);
    REQUIRE(writable.add(0));
    REQUIRE(writable.add(2 * arch::table_reach));
    for (WritablePages::Table& table : writable.within(0, end_of_all))
        table.pages = {};
    writable.add_known(arch::table_reach - 2 * page_bytes, 2 * arch::table_reach + page_bytes);
    CHECK(pages_within(writable, 0, end_of_all) ==
          std::set<std::uintptr_t>{arch::table_reach - 2 * page_bytes, arch::table_reach - page_bytes,
                                   2 * arch::table_reach});
}
