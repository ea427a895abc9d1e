// SPDX-License-Identifier: MIT
// Times computed by hand, of machines with the Multimax's numbers: 320 ns for a read that misses, 120 ns for
// a write, 80 ns of the bus for each; and of caches that are written back: 100 ns for a line of memory, 50
// for one of another cache, 10 of the bus, 20 to have a line alone.
#include "tools/machine_model/divided_memory.hpp"

#include "tools/machine_model/coherent_memory.hpp"
#include "tools/machine_model/write_through_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr Picoseconds ns = nanosecond;

template <class Make>
DividedMemory divided(unsigned parts, unsigned each, const Make& make)
{
    std::vector<std::unique_ptr<Memory>> made;
    for (unsigned part = 0; part < parts; ++part)
        made.push_back(make(each));
    return {std::move(made), each};
}

std::unique_ptr<Memory> multimax(unsigned processors)
{
    return std::make_unique<WriteThroughMemory>(
        processors, CacheGeometry{.bytes = 65536, .line = 16, .subline = 4, .fill = 8},
        BusTimes{.transfer = 80 * ns, .bank = 320 * ns, .banks = 8, .width = 8},
        WriteThroughTimes{.read_miss = 320 * ns, .write = 120 * ns});
}

std::unique_ptr<Memory> written_back(unsigned processors)
{
    return std::make_unique<CoherentMemory>(
        processors, CoherentGeometry{.line = 64, .own = {{4096, 2, 0}}, .shared = {}},
        BusTimes{.transfer = 10 * ns, .bank = 0, .banks = 1, .width = 64},
        CoherentTimes{.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns});
}

} // namespace

TEST_CASE("processors of one multiprocessor wait for its bus, and none for another's")
{
    DividedMemory memory = divided(2, 2, multimax);
    CHECK(memory.read({0, 0x1000, 4, 0}) == 320 * ns);
    CHECK(memory.read({1, 0x2008, 4, 0}) == 400 * ns); // the bus is taken for 80, by the first
    CHECK(memory.read({2, 0x3010, 4, 0}) == 320 * ns);
    CHECK(memory.read({3, 0x4018, 4, 0}) == 400 * ns);
    CHECK(memory.counts(1).bus_waiting == 80 * ns);
    CHECK(memory.counts(2).bus_waiting == 0);
    CHECK(memory.counts(3).bus_waiting == 80 * ns);
}

TEST_CASE("processors of one multiprocessor wait for its banks, and none for another's")
{
    DividedMemory memory = divided(2, 2, multimax);
    CHECK(memory.read({0, 0x1000, 4, 0}) == 320 * ns);
    CHECK(memory.read({1, 0x2000, 4, 100 * ns}) == 540 * ns); // the bank is taken until 320
    CHECK(memory.read({2, 0x3000, 4, 100 * ns}) == 320 * ns);
}

TEST_CASE("a line goes from cache to cache within a multiprocessor, and from memory in each")
{
    DividedMemory memory = divided(2, 2, written_back);
    CHECK(memory.write({0, 0x1000, 8, 0}) == 100 * ns);
    CHECK(memory.read({1, 0x1000, 8, 1000 * ns}) == 50 * ns);
    CHECK(memory.read({2, 0x1000, 8, 2000 * ns}) == 100 * ns);
    CHECK(memory.write({3, 0x1000, 8, 3000 * ns}) == 50 * ns); // alone at once: a miss asks for that
    CHECK(memory.counts(2).invalidations == 1);
    CHECK(memory.read({0, 0x1000, 8, 4000 * ns}) == 0);
    CHECK(memory.counts(0).invalidations == 0);
    CHECK(memory.counts(1).from_caches == 1);
}

TEST_CASE("what a processor keeps is kept from those of its own multiprocessor alone")
{
    DividedMemory memory = divided(2, 2, written_back);
    CHECK(memory.write({2, 0x1000, 8, 0}) == 100 * ns);
    memory.keep({2, 0x1000, 8, 0}, 5000 * ns);
    CHECK(memory.read({0, 0x1000, 8, 1000 * ns}) == 100 * ns);
    CHECK(memory.read({3, 0x1000, 8, 1000 * ns}) == 4000 * ns);
}

TEST_CASE("a read whose write follows takes the line from others of the same multiprocessor alone")
{
    DividedMemory memory = divided(2, 2, written_back);
    CHECK(memory.read({2, 0, 8, 0}) == 100 * ns);
    CHECK(memory.read({3, 0, 8, 1000 * ns}) == 50 * ns);
    CHECK(memory.read_to_write({3, 0, 8, 2000 * ns}) == 20 * ns);
    CHECK(memory.counts(2).invalidations == 1);
    CHECK(memory.read_to_write({0, 0, 8, 3000 * ns}) == 100 * ns);
    CHECK(memory.write({3, 0, 8, 4000 * ns}) == 0);
}
