// SPDX-License-Identifier: MIT
#include "kernel/memory/frames.hpp"

#include "testing/catch.hpp"

#include <set>
#include <vector>

using namespace parley;
using namespace parley::kernel;

namespace {

constexpr std::size_t pages = 64;
alignas(page_bytes) std::byte memory[pages * page_bytes];

constexpr PhysAddr start{0x100000};

unsigned colour_of(PhysAddr frame, unsigned colours)
{
    return static_cast<unsigned>(frame.value / page_bytes % colours);
}

} // namespace

// The test's memory is all that this machine has.
void* parley::arch::to_pointer(PhysAddr address) { return memory + (address.value - start.value); }
PhysAddr parley::arch::direct_map_address(const void* pointer)
{
    return start + static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - memory);
}

TEST_CASE("frames of a colour are taken while there are any, and then others")
{
    constexpr unsigned colours = 8;
    FramePool pool;
    pool.add(start, start + pages * page_bytes);
    pool.colour(colours);
    std::set<std::uint64_t> taken;
    for (std::size_t i = 0; i < pages / colours; ++i) {
        const Result<PhysAddr> frame = pool.take_from(5);
        REQUIRE(frame);
        CHECK(colour_of(*frame, colours) == 5);
        CHECK(pool.bank_of(*frame) == 5);
        taken.insert(frame->value);
    }
    CHECK(pool.free_frames() == pages - pages / colours);
    for (std::size_t left = pool.free_frames(); left > 0; --left) {
        const Result<PhysAddr> frame = pool.take_from(5);
        REQUIRE(frame);
        CHECK(colour_of(*frame, colours) != 5);
        taken.insert(frame->value);
    }
    CHECK(taken.size() == pages);
    CHECK(!pool.take_from(5));
}

TEST_CASE("frames that are asked for without a colour have one after another")
{
    constexpr unsigned colours = 4;
    FramePool pool;
    pool.add(start, start + pages * page_bytes);
    // What was given back before frames had colours is found by its colour, too.
    const PhysAddr first = *pool.take();
    pool.give_back(first);
    pool.colour(colours);
    std::vector<unsigned> number(colours);
    for (unsigned i = 0; i < pages / 2; ++i)
        ++number[pool.bank_of(*pool.take())];
    for (const unsigned one : number)
        CHECK(one == pages / 2 / colours);
}

TEST_CASE("a frame that is given back is taken again by its colour")
{
    FramePool pool;
    pool.add(start, start + 4 * page_bytes);
    pool.colour(4);
    const PhysAddr frame = *pool.take_from(2);
    pool.give_back(frame);
    CHECK(pool.free_frames() == 4);
    CHECK(pool.take_from(2) == frame);
}
