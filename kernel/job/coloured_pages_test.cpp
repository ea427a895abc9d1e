// SPDX-License-Identifier: MIT
#include "kernel/job/coloured_pages.hpp"

#include "kernel/job/domain_slots.hpp"

#include "testing/catch.hpp"

#include <set>

using namespace parley;
using namespace parley::kernel;

namespace {

constexpr unsigned colours = 128;
constexpr std::uintptr_t image = low_slot_start; // where a program's begins, in a domain of its own

} // namespace

TEST_CASE("pages that follow each other have different colours")
{
    const ColouredPages pages(colours);
    const ColouredRegion region(colours);
    std::set<unsigned> of_image, of_region;
    for (std::uintptr_t i = 0; i < colours; ++i) {
        of_image.insert(pages.bank_of(image + i * page_bytes));
        of_region.insert(region.bank_of(i * page_bytes));
    }
    CHECK(of_image.size() == colours);
    CHECK(of_region.size() == colours);
}

TEST_CASE("what begins at round addresses has colours of its own")
{
    constexpr unsigned of_stack = 8;
    const ColouredPages pages(colours);
    const ColouredRegion region(colours);
    std::multiset<unsigned> all;
    for (std::uintptr_t i = 0; i + of_stack < colours_of_library; ++i)
        all.insert(pages.bank_of(PARLEY_LIBRARY_BASE + i * page_bytes));
    for (std::uintptr_t i = 1; i < of_stack; ++i)
        all.insert(pages.bank_of(stack_top(0).value - i * page_bytes));
    for (std::uintptr_t i = 0; i < colours_of_program; ++i) {
        all.insert(pages.bank_of(image + i * page_bytes));
        all.insert(region.bank_of(i * page_bytes));
    }
    CHECK(std::set<unsigned>(all.begin(), all.end()).size() == all.size());
}

TEST_CASE("a program has the same colours wherever its slot is")
{
    const ColouredPages pages(colours);
    for (const unsigned slot : {shared_slot(0), shared_slot(7)})
        CHECK(pages.bank_of(domain_slot_start(slot)) == pages.bank_of(domain_slot_start(0)));
}

TEST_CASE("a machine may have fewer colours than these")
{
    const ColouredPages pages(16);
    CHECK(pages.bank_of(image) == pages.bank_of(image + 16 * page_bytes));
    CHECK(pages.bank_of(image + 15 * page_bytes) < 16);
    CHECK(ColouredRegion(16).bank_of(15 * page_bytes) < 16);
}
