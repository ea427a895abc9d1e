// SPDX-License-Identifier: MIT
#include "kernel/memory/regions.hpp"

#include "kernel/program/host_arena.hpp"
#include "testing/catch.hpp"

#include <map>
#include <random>
#include <string>

using namespace parley;
using namespace parley::kernel;
using parley::kernel::testing::HostArena;

namespace {

constexpr std::uintptr_t page = 4096;

// Pages as letters: n none, r read, w read and write, x execute; S where shared.
char letter(const Region& region)
{
    constexpr char letters[] = {'n', 'r', 'w', 'x'};
    return region.shared ? 'S' : letters[static_cast<int>(region.protection)];
}

std::string picture(const Regions& regions, std::size_t pages)
{
    std::string text(pages, '.');
    for (const Region& region : regions.all()) {
        for (std::uintptr_t at = region.start; at < region.end; at += page)
            text[at / page] = letter(region);
    }
    return text;
}

// In order, apart, and no two neighbours alike.
bool is_sound(const Regions& regions)
{
    const Region* before = nullptr;
    for (const Region& region : regions.all()) {
        if (region.start >= region.end || (before != nullptr && before->end > region.start))
            return false;
        if (before != nullptr && before->end == region.start && before->is_like(region))
            return false;
        before = &region;
    }
    return true;
}

} // namespace

TEST_CASE("neighbours that are alike become one region")
{
    HostArena arena;
    Regions regions(arena);
    REQUIRE(regions.insert(2 * page, 3 * page, Protection::read));
    REQUIRE(regions.insert(4 * page, 5 * page, Protection::read));
    REQUIRE(regions.insert(3 * page, 4 * page, Protection::read));
    REQUIRE(regions.insert(5 * page, 6 * page, Protection::read_write));
    REQUIRE(regions.all().size() == 2);
    REQUIRE(regions.protect(5 * page, 6 * page, Protection::read));
    REQUIRE(regions.all().size() == 1);
    REQUIRE(regions.insert(6 * page, 7 * page, Protection::read, true));
    REQUIRE(regions.all().size() == 2);
    REQUIRE(!regions.insert(page, 3 * page, Protection::read));
    REQUIRE(picture(regions, 8) == "..rrrrS.");
}

TEST_CASE("changes of random ranges leave what a map of pages says")
{
    constexpr std::size_t pages = 64;
    std::mt19937 random(7);
    HostArena arena;
    Regions regions(arena);
    std::string wanted(pages, '.');
    for (int step = 0; step < 20'000; ++step) {
        const std::size_t from = random() % pages, count = 1 + random() % (pages - from);
        const auto protection = static_cast<Protection>(random() % 4);
        const std::uintptr_t start = from * page, end = (from + count) * page;
        const std::string there = wanted.substr(from, count);
        const std::string now(count, letter({0, 0, protection, false}));
        switch (random() % 3) {
        case 0:
            REQUIRE(regions.insert(start, end, protection).has_value() ==
                    (there.find_first_not_of('.') == std::string::npos));
            if (there.find_first_not_of('.') == std::string::npos)
                wanted.replace(from, count, now);
            break;
        case 1:
            REQUIRE(regions.erase(start, end));
            wanted.replace(from, count, std::string(count, '.'));
            break;
        case 2:
            REQUIRE(regions.covered(start, end) == (there.find('.') == std::string::npos));
            if (there.find('.') != std::string::npos)
                break;
            REQUIRE(regions.protect(start, end, protection));
            wanted.replace(from, count, now);
        }
        REQUIRE(picture(regions, pages) == wanted);
        REQUIRE(is_sound(regions));
        const std::size_t at = random() % pages;
        REQUIRE((regions.find(at * page + 5) != nullptr) == (wanted[at] != '.'));
    }
}

TEST_CASE("a process has no more regions than it may, and those it has can all be given back")
{
    HostArena arena;
    Regions regions(arena);
    constexpr std::uintptr_t end = 2 * Regions::max_regions * page;
    REQUIRE(regions.insert(page, page + end, Protection::read));
    std::size_t cut = 0;
    for (std::uintptr_t at = 2 * page; regions.protect(at, at + page, Protection::read_write); at += 2 * page)
        ++cut;
    REQUIRE(2 * cut + 1 == Regions::max_regions - 1);
    const std::size_t before = regions.all().size();
    REQUIRE(!regions.protect(end - 2 * page, end - page, Protection::none));
    REQUIRE(regions.all().size() == before); // nothing is changed by what is refused
    REQUIRE(regions.erase(end - page, end)); // one more, the last
    REQUIRE(!regions.prepare_to_erase(end - 3 * page, end - 2 * page));
    REQUIRE(!regions.erase(end - 3 * page, end - 2 * page));
    REQUIRE(regions.erase(end - 4 * page, end - page));
    REQUIRE(regions.protect(page, end - 4 * page, Protection::read)); // whole regions: no more of them
    REQUIRE(regions.all().size() == 2);
    REQUIRE(arena.used <= 2 * Regions::max_regions * sizeof(Region));
}

TEST_CASE("a free place is the lowest that is large enough")
{
    HostArena arena;
    Regions regions(arena);
    const std::uintptr_t low = *regions.free_place(page);
    REQUIRE(regions.insert(low, low + page, Protection::read));
    REQUIRE(regions.insert(low + 2 * page, low + 3 * page, Protection::read));
    REQUIRE(*regions.free_place(page) == low + page);
    REQUIRE(*regions.free_place(2 * page) == low + 3 * page);
    REQUIRE(*regions.free_place(std::size_t{8} << 30) > std::uintptr_t{1} << 32);
    REQUIRE(!regions.free_place(std::size_t{1} << 46));
}
