// SPDX-License-Identifier: MIT
// Times computed by hand, of a machine with the Multimax's numbers: 320 ns for a read that misses, 120 ns for
// a write, 80 ns of the bus for each, 8 banks that are taken for 320 ns.
#include "tools/machine_model/write_through_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr std::uint64_t cache_bytes = 64 * 1024;

WriteThroughMemory machine(unsigned processors)
{
    return {processors,
            {.bytes = cache_bytes, .line = 16, .subline = 4, .fill = 8},
            {.transfer = 80'000, .bank = 320'000, .banks = 8, .width = 8},
            {.read_miss = 320'000, .write = 120'000}};
}

Access access(unsigned processor, std::uint64_t address, unsigned bytes, Picoseconds at)
{
    return {processor, address, bytes, at};
}

} // namespace

TEST_CASE("the first read of eight bytes waits for memory, the second four of them do not")
{
    WriteThroughMemory memory = machine(1);
    CHECK(memory.read(access(0, 0x1000, 4, 0)) == 320'000);
    CHECK(memory.read(access(0, 0x1004, 4, 400'000)) == 0);
    CHECK(memory.read(access(0, 0x1008, 4, 800'000)) == 320'000); // the other half of the line
    CHECK(memory.read(access(0, 0x1000, 4, 1'200'000)) == 0);
    CHECK(memory.counts(0).reads == 4);
    CHECK(memory.counts(0).read_misses == 2);
}

TEST_CASE("an access of eight bytes is two of four")
{
    WriteThroughMemory memory = machine(1);
    CHECK(memory.read(access(0, 0x1000, 8, 0)) == 320'000);
    // Not aligned: 4 bytes of one fill, 4 of the next.
    CHECK(memory.read(access(0, 0x2004, 8, 1'000'000)) == 640'000);
    // Each store is one transfer, to the same bank, which is taken for 320 ns: 320 until it is free, and 120.
    CHECK(memory.write(access(0, 0x3000, 8, 3'000'000)) == 440'000);
    CHECK(memory.counts(0).writes == 2);
}

TEST_CASE("lines whose addresses differ by the size of the cache take each other's place")
{
    WriteThroughMemory memory = machine(1);
    memory.read(access(0, 0x1000, 4, 0));
    CHECK(memory.read(access(0, 0x1000 + cache_bytes, 4, 1'000'000)) == 320'000);
    CHECK(memory.read(access(0, 0x1000, 4, 2'000'000)) == 320'000);
    CHECK(memory.read(access(0, 0x1010 + cache_bytes, 4, 3'000'000)) == 320'000);
    CHECK(memory.read(access(0, 0x1000, 4, 4'000'000)) == 0); // the neighbour did not hurt it
}

TEST_CASE("every store goes to memory, and makes valid what it writes whole")
{
    WriteThroughMemory memory = machine(1);
    CHECK(memory.write(access(0, 0x1000, 4, 0)) == 120'000);
    CHECK(memory.read(access(0, 0x1000, 4, 1'000'000)) == 0);
    CHECK(memory.read(access(0, 0x1004, 4, 2'000'000)) == 320'000); // not written
    CHECK(memory.write(access(0, 0x1000, 4, 3'000'000)) == 120'000);
    CHECK(memory.write(access(0, 0x2000, 1, 4'000'000)) == 120'000);
    CHECK(memory.read(access(0, 0x2000, 4, 5'000'000)) == 320'000); // one byte makes no subline
    CHECK(memory.counts(0).write_misses == 2);
}

TEST_CASE("a store takes the subline, and no more, from other caches")
{
    WriteThroughMemory memory = machine(2);
    memory.read(access(1, 0x1000, 8, 0));
    memory.write(access(0, 0x1000, 4, 1'000'000));
    CHECK(memory.counts(1).invalidations == 1);
    CHECK(memory.read(access(1, 0x1004, 4, 2'000'000)) == 0);
    CHECK(memory.read(access(1, 0x1000, 4, 3'000'000)) == 320'000);
    CHECK(memory.counts(0).invalidations == 0);
}

TEST_CASE("transfers follow each other on the bus, and for as long as a bank is taken at the bank")
{
    WriteThroughMemory memory = machine(4);
    // Different banks: the bus alone orders them, 80 ns each.
    CHECK(memory.read(access(0, 0x1000, 4, 0)) == 320'000);
    CHECK(memory.read(access(1, 0x1008, 4, 0)) == 400'000);
    CHECK(memory.read(access(2, 0x1010, 4, 0)) == 480'000);
    CHECK(memory.counts(2).bus_waiting == 160'000);
    // One bank, from 1,000 ns on: four processors take 1.28 us, as section 5.3 of the paper has it.
    CHECK(memory.read(access(0, 0x2000, 4, 1'000'000)) == 320'000);
    CHECK(memory.read(access(1, 0x3000, 4, 1'000'000)) == 640'000);
    CHECK(memory.read(access(2, 0x4000, 4, 1'000'000)) == 960'000);
    CHECK(memory.read(access(3, 0x5000, 4, 1'000'000)) == 1'280'000);
}

TEST_CASE("a transfer asked for at an earlier time than one of another processor does not wait for it")
{
    WriteThroughMemory memory = machine(2);
    memory.read(access(0, 0x1000, 4, 5'000'000)); // it is ahead
    CHECK(memory.read(access(1, 0x2000, 4, 1'000'000)) == 320'000);
    CHECK(memory.counts(1).bus_waiting == 0);
    CHECK(memory.read(access(1, 0x3000, 4, 4'900'000)) == 740'000); // one bank, taken until 5,320 ns
}

TEST_CASE("instructions are fetched through the same cache")
{
    WriteThroughMemory memory = machine(1);
    CHECK(memory.fetch(access(0, 0x1000, 16, 0)) == 640'000); // two fills, one after the other
    CHECK(memory.fetch(access(0, 0x1000, 16, 1'000'000)) == 0);
    memory.read(access(0, 0x1000 + cache_bytes, 4, 2'000'000));
    CHECK(memory.fetch(access(0, 0x1000, 16, 3'000'000)) == 640'000); // data took its place
    CHECK(memory.counts(0).fetch_misses == 4);
}

TEST_CASE("filling the cache takes 2^12 fills of half a line, as the paper counts")
{
    WriteThroughMemory memory = machine(1);
    for (std::uint64_t line = 0; line < 4096; ++line)
        memory.read(access(0, line * 16, 4, line * 1'000'000));
    CHECK(memory.counts(0).read_misses == 4096);
    CHECK(memory.counts(0).time == Picoseconds{4096} * 320'000);
}
