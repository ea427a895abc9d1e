// SPDX-License-Identifier: MIT
// Times computed by hand, of two processors with a cache of eight lines each, 1 ns beyond the instruction; 50
// ns for a line of the other's cache, 20 to have a line alone, 100 for memory; 4 ns of the bus.
#include "tools/machine_model/coherent_memory.hpp"
#include "tools/machine_model/out_of_order.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr Picoseconds ns = nanosecond;
constexpr std::uint64_t line = 64;

struct Scene {
    explicit Scene(const Overlap& overlap)
        : memory{2,
                 {.line = line, .own = {{64 * line, 8, 1 * ns}}, .shared = {}},
                 {.transfer = 4 * ns, .bank = 0, .banks = 1, .width = line},
                 {.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns}},
          core{memory, 2, overlap}
    {
    }

    // When the processor goes on.
    Picoseconds write(unsigned processor, std::uint64_t number, Picoseconds at, std::uint64_t position = 0)
    {
        Access access{processor, number * line, 8, at};
        core.write(access, position);
        return access.at;
    }
    struct Read {
        Picoseconds goes_on;
        Picoseconds there;
    };
    Read read(unsigned processor, std::uint64_t number, Picoseconds at, std::uint64_t position = 0,
              Picoseconds known = 0)
    {
        Access access{processor, number * line, 8, at};
        const Picoseconds there = core.read(access, position, known);
        return {access.at, there};
    }

    CoherentMemory memory;
    OutOfOrder core;
};

constexpr Overlap nothing{.line = line, .stores = 0, .window = 0, .misses = 64, .ahead = 0};

Overlap with_stores(unsigned stores)
{
    Overlap overlap = nothing;
    overlap.stores = stores;
    return overlap;
}

Overlap with_window(unsigned window, unsigned misses = 64)
{
    Overlap overlap = with_stores(8);
    overlap.window = window;
    overlap.misses = misses;
    return overlap;
}

} // namespace

TEST_CASE("a processor that overlaps nothing waits for every access")
{
    Scene scene{nothing};
    CHECK(scene.write(0, 0, 0) == 100 * ns);
    CHECK(scene.read(0, 8, 200 * ns).goes_on == 300 * ns);
}

TEST_CASE("a store does not stop its processor, until the buffer is full")
{
    Scene scene{with_stores(2)};
    CHECK(scene.write(0, 0, 0) == 0);
    CHECK(scene.write(0, 1, 10 * ns) == 10 * ns);
    CHECK(scene.write(0, 2, 20 * ns) == 100 * ns); // when the first has gone
    CHECK(scene.core.counts(0).for_stores == 80 * ns);
    CHECK(scene.write(0, 3, 105 * ns) == 110 * ns);
}

TEST_CASE("stores leave their buffer in their order, and none before the reads that come before it are there")
{
    Scene scene{with_window(100)};
    scene.write(0, 0, 0);       // its line is there at 100 ns
    scene.write(0, 0, 10 * ns); // as is this one's, but not before the first
    CHECK(scene.core.drain(0, 20 * ns) == 100 * ns);
    CHECK(scene.read(0, 8, 200 * ns).there == 300 * ns);
    CHECK(scene.write(0, 0, 210 * ns) == 210 * ns); // a line that is its own
    CHECK(scene.read(1, 0, 220 * ns).there == 300 * ns);
    CHECK(scene.core.drain(0, 220 * ns) == 300 * ns);
    CHECK(scene.core.counts(0).for_drains == 160 * ns);
}

TEST_CASE("another processor has a line no earlier than the store to it has left the buffer")
{
    Scene scene{with_stores(8)};
    scene.write(0, 8, 0);
    scene.write(0, 0, 500 * ns);                         // at 600 ns
    CHECK(scene.read(1, 8, 510 * ns).there == 560 * ns); // one that has left it long since
    CHECK(scene.read(1, 0, 520 * ns).there == 600 * ns); // it was asked for meanwhile
}

TEST_CASE("a read of what its own processor has stored does not wait for the line, one of its neighbour does")
{
    Scene scene{with_stores(8)};
    scene.write(0, 0, 0);
    CHECK(scene.read(0, 0, 10 * ns).there == 10 * ns);
    CHECK(scene.core.counts(0).forwarded == 1);
    Access neighbour{0, 8, 8, 20 * ns};
    CHECK(scene.core.read(neighbour, 0, 0) == 100 * ns);
}

TEST_CASE("reads of different lines are under way together, one whose address waits begins when it is known")
{
    Scene scene{with_window(100)};
    CHECK(scene.read(0, 0, 0).there == 100 * ns);
    const auto other = scene.read(0, 8, 1 * ns);
    CHECK(other.goes_on == 1 * ns);
    CHECK(other.there == 104 * ns); // behind the first on the bus
    CHECK(scene.read(0, 16, 2 * ns, 0, 100 * ns).there == 200 * ns);
}

TEST_CASE("a processor goes on past a read by its window, and has no more lines on their way than it may")
{
    Scene scene{with_window(10, 2)};
    scene.read(0, 0, 0, 0);
    CHECK(scene.read(0, 8, 1 * ns, 9).goes_on == 1 * ns);
    CHECK(scene.read(0, 16, 2 * ns, 9).there == 200 * ns); // two are on their way until 100 ns
    CHECK(scene.write(0, 24, 3 * ns, 10) == 100 * ns);
    CHECK(scene.core.counts(0).for_window == 97 * ns);
}

TEST_CASE("what is locked waits for all before it, and what comes after waits for it")
{
    Scene scene{with_window(100)};
    scene.write(0, 0, 0);
    Access locked{0, 8 * line, 8, 10 * ns};
    scene.core.exchange(locked);
    CHECK(locked.at == 200 * ns);
    CHECK(scene.core.counts(0).for_drains == 90 * ns);
}

TEST_CASE("the lines after two that follow each other are asked for ahead, in their page alone")
{
    Overlap overlap = with_window(100);
    overlap.ahead = 2;
    Scene scene{overlap};
    scene.read(0, 60, 0);
    scene.read(0, 61, 200 * ns); // and 62 and 63, by 308 ns
    CHECK(scene.core.counts(0).asked_ahead == 2);
    CHECK(scene.read(0, 63, 250 * ns).there == 308 * ns);
    CHECK(scene.read(0, 62, 400 * ns).there == 401 * ns);
    CHECK(scene.core.counts(0).asked_ahead == 2); // 64 lies in another page
}
