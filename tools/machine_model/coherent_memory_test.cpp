// SPDX-License-Identifier: MIT
// Times computed by hand, of a machine whose processors have two levels each, of 1 and 8 ns, and one for all
// of 30 ns; 50 ns for a line of another processor's cache, 20 to have a line alone, 100 for memory; 4 ns of
// the bus.
#include "tools/machine_model/coherent_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr Picoseconds ns = nanosecond;
constexpr std::uint64_t line = 64;

CoherentMemory machine(unsigned processors, bool has_shared = true, bool moves = false)
{
    CoherentGeometry geometry{
        .line = line, .own = {{2 * line, 2, 1 * ns}, {4 * line, 2, 8 * ns}}, .shared = {}};
    if (has_shared)
        geometry.shared = CacheLevel{64 * line, 4, 30 * ns};
    return {processors,
            geometry,
            {.transfer = 4 * ns, .bank = 40 * ns, .banks = 2, .width = line},
            {.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns, .moves = moves}};
}

// One processor's access, long after all others.
struct Patient {
    CoherentMemory& memory;
    Picoseconds now = 0;

    Access access(unsigned processor, std::uint64_t number)
    {
        return {processor, number * line, 8, now += 1000 * ns};
    }
    Picoseconds read(unsigned processor, std::uint64_t number)
    {
        return memory.read(access(processor, number));
    }
    Picoseconds read_to_write(unsigned processor, std::uint64_t number)
    {
        return memory.read_to_write(access(processor, number));
    }
    Picoseconds write(unsigned processor, std::uint64_t number)
    {
        return memory.write(access(processor, number));
    }
};

} // namespace

TEST_CASE("a line comes from memory once, then it is near; what gave way to others is farther")
{
    CoherentMemory memory = machine(1);
    Patient at{memory};
    CHECK(at.read(0, 0) == 100 * ns);
    CHECK(at.read(0, 0) == 1 * ns);
    at.read(0, 1);
    at.read(0, 3); // the first level holds two: 1 and 3
    CHECK(at.read(0, 0) == 8 * ns);
    CHECK(at.read(0, 0) == 1 * ns);
    at.read(0, 2);
    at.read(0, 4); // the second level's even set holds two: 2 and 4
    CHECK(at.read(0, 0) == 30 * ns);
    CHECK(memory.counts(0).reads == 9);
    CHECK(memory.counts(0).read_misses == 6);
}

TEST_CASE("instructions and data of a line are the same line, and an access may need two")
{
    CoherentMemory memory = machine(1);
    CHECK(memory.fetch({0, 0, 16, 0}) == 100 * ns);
    CHECK(memory.read({0, 32, 8, 1000 * ns}) == 1 * ns);
    CHECK(memory.read({0, 60, 8, 2000 * ns}) == (1 + 100) * ns);
    CHECK(memory.counts(0).fetch_misses == 1);
}

TEST_CASE("a store to a line that is one's own alone is a hit, read before or not")
{
    CoherentMemory memory = machine(2);
    Patient at{memory};
    CHECK(at.write(0, 0) == 100 * ns);
    CHECK(at.write(0, 0) == 1 * ns);
    at.read(0, 1);
    CHECK(at.write(0, 1) == 1 * ns); // exclusive, unchanged until now
}

TEST_CASE("a read whose write follows gets the line alone, so that the write is a hit")
{
    CoherentMemory memory = machine(2);
    Patient at{memory};
    at.write(0, 0);
    CHECK(at.read_to_write(1, 0) == 50 * ns);
    CHECK(memory.counts(0).invalidations == 1);
    CHECK(at.write(1, 0) == 1 * ns);
    CHECK(memory.counts(1).read_misses == 1);
    CHECK(memory.counts(1).write_misses == 0);
    at.read(0, 0);
    CHECK(at.read_to_write(1, 0) == (1 + 20) * ns); // the other has it, too
    CHECK(at.write(1, 0) == 1 * ns);
}

TEST_CASE("a line that another has alone comes from its cache, changed or not; then both have it")
{
    CoherentMemory memory = machine(3, false);
    Patient at{memory};
    at.write(0, 0);
    CHECK(at.read(1, 0) == 50 * ns);
    CHECK(at.read(0, 0) == 1 * ns);
    CHECK(at.read(2, 0) == 100 * ns); // of two who share it none answers: memory does
    at.read(0, 1);
    CHECK(at.read(1, 1) == 50 * ns);
    CHECK(memory.counts(1).from_caches == 2);
}

TEST_CASE("a store to a shared line takes it from the others, and from whoever changed it")
{
    CoherentMemory memory = machine(2);
    Patient at{memory};
    at.read(0, 0);
    at.read(1, 0);
    CHECK(at.write(0, 0) == (1 + 20) * ns);
    CHECK(at.write(0, 0) == 1 * ns);
    CHECK(memory.counts(1).invalidations == 1);
    CHECK(at.write(1, 0) == 50 * ns); // it had lost the line
    CHECK(memory.counts(0).invalidations == 1);
    CHECK(at.read(0, 0) == 50 * ns);
}

TEST_CASE("others get a line that is kept no earlier than it is given up")
{
    CoherentMemory memory = machine(2);
    memory.write({0, 0, 8, 0});
    memory.keep({0, 0, 8, 0}, 700 * ns);
    memory.keep({0, 0, 8, 0}, 600 * ns);
    CHECK(memory.read({0, 0, 8, 600 * ns}) == 1 * ns);
    CHECK(memory.read({1, 0, 8, 600 * ns}) == 100 * ns);
    memory.write({0, line, 8, 1000 * ns});
    memory.keep({0, line, 8, 1000 * ns}, 1001 * ns);
    CHECK(memory.read({1, line, 8, 2000 * ns}) == 50 * ns);
}

TEST_CASE("where lines move a read takes a changed line away, and shares one that its holder has as it came")
{
    CoherentMemory memory = machine(3, false, true);
    Patient at{memory};
    at.write(0, 0);
    CHECK(at.read(1, 0) == 50 * ns);
    CHECK(at.write(1, 0) == 1 * ns); // it was its own already
    CHECK(memory.counts(0).invalidations == 1);
    CHECK(at.read(0, 0) == 50 * ns);
    CHECK(at.read(1, 0) == 50 * ns); // 0 has it alone, and as it came
    CHECK(at.read(0, 0) == 1 * ns);
    CHECK(at.read(1, 0) == 1 * ns);
    CHECK(at.write(0, 0) == (1 + 20) * ns);
    CHECK(at.write(2, 0) == 50 * ns); // a store asks for the line alone
    CHECK(memory.counts(0).invalidations == 2);
    CHECK(memory.counts(1).invalidations == 2);
    at.read(0, 1);
    CHECK(at.read(1, 1) == 50 * ns);
    CHECK(at.read(0, 1) == 1 * ns); // nobody had changed it
}

TEST_CASE("a holder goes on with its line until the request is there, and the reader gets what it wrote")
{
    CoherentMemory memory = machine(3, false, true);
    const auto read = [&memory](unsigned processor, Picoseconds at) {
        return at + memory.read({processor, 0, 8, at});
    };
    const auto write = [&memory](unsigned processor, Picoseconds at) {
        return at + memory.write({processor, 0, 8, at});
    };
    CHECK(write(0, 0) == 100 * ns);
    CHECK(read(1, 1000 * ns) == 1050 * ns);
    CHECK(write(0, 1024 * ns) == 1025 * ns); // the request is there at 1025
    CHECK(read(1, 1030 * ns) == 1050 * ns);  // still on its way
    CHECK(memory.counts(1).read_misses == 1);
    CHECK(read(1, 1050 * ns) == 1050 * ns);
    CHECK(read(1, 1051 * ns) == 1052 * ns);
    CHECK(write(1, 1060 * ns) == 1061 * ns);
    CHECK(write(0, 1070 * ns) == 1120 * ns);
    // By turns, each of which asks when it has lost the line: a way takes what a line from a cache does.
    CHECK(read(1, 2000 * ns) == 2050 * ns);
    CHECK(read(0, 2025 * ns) == 2100 * ns); // which 1 gets at 2050, and 0 asks for it there until 2075
    CHECK(write(1, 2074 * ns) == 2075 * ns);
    CHECK(read(1, 2075 * ns) == 2150 * ns);
    CHECK(write(0, 2124 * ns) == 2125 * ns);
    CHECK(write(1, 2126 * ns) == 2151 * ns); // when it has come; it is its own then
    CHECK(read(0, 3000 * ns) == 3050 * ns);
    CHECK(write(2, 3010 * ns) == 3100 * ns); // 0 has it from 3050 on
}

// That the line is at the reader already is because the holder has asked for it, too.
TEST_CASE("where lines move a reader has its line no earlier than it arrives, whoever asks for it meanwhile")
{
    CoherentMemory memory = machine(3, false, true);
    const auto read = [&memory](unsigned processor, std::uint64_t number, Picoseconds at) {
        return at + memory.read({processor, number * line, 8, at});
    };
    const auto write = [&memory](unsigned processor, std::uint64_t number, Picoseconds at) {
        return at + memory.write({processor, number * line, 8, at});
    };
    CHECK(write(0, 0, 0) == 100 * ns);
    CHECK(read(1, 0, 6000 * ns) == 6050 * ns);
    CHECK(read(0, 0, 6030 * ns) == 6100 * ns); // it lost the line at 6025, and 1 has it from 6050 on
    CHECK(read(1, 0, 6035 * ns) == 6050 * ns);
    CHECK(read(1, 0, 6051 * ns) == 6052 * ns);
    CHECK(write(0, 0, 8000 * ns) == (8000 + 1 + 20) * ns); // nobody had changed it, so both have it
    CHECK(read(1, 0, 9000 * ns) == 9050 * ns);
    CHECK(read(0, 0, 9030 * ns) == 9100 * ns);
    CHECK(write(1, 0, 9010 * ns) == 9051 * ns);
    CHECK(memory.counts(1).read_misses == 2);
    CHECK(memory.counts(1).write_misses == 0);
    // When nobody has changed a line, its holder keeps it, and a third reader gets it from memory.
    CHECK(read(0, 1, 20'000 * ns) == 20'100 * ns);
    CHECK(read(1, 1, 21'000 * ns) == 21'050 * ns);
    CHECK(read(0, 1, 21'030 * ns) == 21'031 * ns);
    CHECK(read(1, 1, 21'035 * ns) == 21'050 * ns);
    CHECK(read(2, 1, 21'036 * ns) == 21'136 * ns);
    CHECK(read(1, 1, 21'037 * ns) == 21'050 * ns);
    CHECK(write(1, 1, 21'040 * ns) == (21'050 + 1 + 20) * ns);
    CHECK(read(1, 1, 21'060 * ns) == 21'061 * ns);
    // One that is lost before it arrives is asked for anew.
    CHECK(write(0, 3, 30'000 * ns) == 30'100 * ns);
    CHECK(read(1, 3, 31'000 * ns) == 31'050 * ns);
    CHECK(write(0, 3, 31'030 * ns) == 31'100 * ns);
    CHECK(read(1, 3, 31'040 * ns) == 31'150 * ns);
}

TEST_CASE("where lines move others get what is kept no earlier")
{
    CoherentMemory memory = machine(2, false, true);
    memory.write({0, 0, 8, 0});
    memory.read({1, 0, 8, 1000 * ns});
    memory.write({0, 0, 8, 1010 * ns});
    memory.keep({0, 0, 8, 1010 * ns}, 1200 * ns);
    CHECK(memory.read({1, 0, 8, 1100 * ns}) == 100 * ns);
}

TEST_CASE("where lines move a line that gives way while another reads it leaves with that read")
{
    CoherentMemory memory = machine(2, false, true);
    Patient at{memory};
    for (const bool is_changed : {true, false}) {
        const unsigned first = is_changed ? 0 : 8;
        is_changed ? at.write(0, first) : at.read(0, first);
        at.read(1, first);
        // The second level's even set holds two.
        memory.write({0, (first + 2) * line, 8, at.now + 30 * ns});
        memory.write({0, (first + 4) * line, 8, at.now + 31 * ns});
        CHECK(at.read(1, first) == 1 * ns);
        CHECK(at.write(1, first) == 1 * ns); // alone
        CHECK(at.read(0, first) == 50 * ns);
    }
}

TEST_CASE("a changed line that gives way goes back, which takes the bus and the bank but nobody's time")
{
    CoherentMemory memory = machine(1, false);
    Patient at{memory};
    at.write(0, 0);
    at.read(0, 2);
    CHECK(at.read(0, 4) == 100 * ns);
    CHECK(memory.counts(0).write_backs == 1);
    CHECK(at.read(0, 0) == 100 * ns); // unchanged lines go without one
    CHECK(memory.counts(0).write_backs == 1);
    CHECK(memory.counts(0).bus_transfers == 4);
}

TEST_CASE("transfers wait for the bus, and those of memory for their bank")
{
    CoherentMemory memory = machine(4);
    CHECK(memory.read({0, 0, 8, 0}) == 100 * ns);
    CHECK(memory.read({1, line, 8, 0}) == 104 * ns);     // another bank, one bus
    CHECK(memory.read({2, 2 * line, 8, 0}) == 140 * ns); // the first bank, taken for 40
    CHECK(memory.counts(2).bus_waiting == 40 * ns);
    CHECK(memory.read({3, 0, 8, 0}) == (8 + 50) * ns); // no bank: after two transfers, before the third
}

TEST_CASE("lines between caches, and those that go back, take the bus, too")
{
    CoherentMemory memory = machine(3, false);
    memory.write({0, 0, 8, 0});
    memory.write({0, line, 8, 1000 * ns});
    CHECK(memory.read({1, 0, 8, 5000 * ns}) == 50 * ns);
    CHECK(memory.read({2, line, 8, 5000 * ns}) == 54 * ns);
    CoherentMemory other = machine(2, false);
    other.write({0, 0, 8, 0});
    other.read({0, 2 * line, 8, 1000 * ns});
    other.read({0, 4 * line, 8, 2000 * ns}); // the first goes back when this one is there, at 2,100 ns
    CHECK(other.read({1, line, 8, 2100 * ns}) == 104 * ns);
}

// As the machine above, whose processors have beside the first level a cache of 2 lines for instructions, in
// which nothing waits.
TEST_CASE("instructions and data in caches of their own drive each other out of the second level alone")
{
    CoherentMemory memory{2,
                          {.line = line,
                           .own = {{2 * line, 2, 1 * ns}, {4 * line, 2, 8 * ns}},
                           .shared = {},
                           .instructions = CacheLevel{2 * line, 2, 0}},
                          {.transfer = 4 * ns, .bank = 40 * ns, .banks = 2, .width = line},
                          {.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns}};
    Patient at{memory};
    const auto fetch = [&](std::uint64_t number) { return memory.fetch(at.access(0, number)); };
    CHECK(fetch(0) == 100 * ns);
    CHECK(at.read(0, 1) == 100 * ns);
    CHECK(at.read(0, 3) == 100 * ns); // the first level is full of data
    CHECK(fetch(0) == 0);
    CHECK(at.read(0, 1) == 1 * ns);
    CHECK(at.read(0, 0) == 8 * ns); // what has been fetched is no datum of the first level
    CHECK(fetch(1) == 8 * ns);
    CHECK(fetch(1) == 0);
    at.read(0, 2);
    at.read(0, 4); // of the second level's even lines, 0 gives way, and with it the fetched one
    CHECK(fetch(0) == 100 * ns);
    CHECK(at.write(1, 0) == 50 * ns); // so it does when another processor writes there
    CHECK(fetch(0) == 50 * ns);
    CHECK(memory.counts(0).fetch_misses == 3);
}
