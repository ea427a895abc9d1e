// SPDX-License-Identifier: MIT
// Times computed by hand, of two clusters of two processors, whose memories of 8192 bytes follow a memory for
// all of 16384: a hit takes 100 ps and a bank as long, a miss 1000 more, the concurrency bus 300; a stage of
// the network 20 and its way out 10, a module 400.
#include "tools/machine_model/clustered_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr std::uint64_t own = 16384;         // of the first cluster
constexpr std::uint64_t others = own + 8192; // of the second
constexpr std::uint64_t bus = own + 4096;
constexpr Picoseconds there = 2 * 20;
constexpr Picoseconds there_and_back = there + 400 + 2 * 20;

ClusteredMemory machine()
{
    return {{.clusters = 2, .processors = 2, .memory = 8192, .cache = 128, .ways = 1, .line = 32, .banks = 2},
            {.bank = 100, .hit = 100, .miss = 1000, .bus = 300},
            {.memory = 16384, .width = 8, .module = 400, .network = {.stage = 20, .port = 10}}};
}

} // namespace

TEST_CASE("a cluster's processors share its cache, whose lines give way to each other")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, own, 8, 0}) == 1100);
    CHECK(memory.read({1, own + 8, 8, 2000}) == 100);
    CHECK(memory.write({1, own + 128, 4, 3000}) == 1100); // the same place of the cache
    CHECK(memory.read({0, own, 8, 5000}) == 1100);
    CHECK(memory.read({0, own + 28, 8, 7000}) == 100 + 1100); // two lines, of which it has one
    CHECK(memory.counts(0).reads == 4);
    CHECK(memory.counts(0).read_misses == 3);
    CHECK(memory.counts(0).time == 1100 + 1100 + 1200);
    CHECK(memory.counts(1).write_misses == 1);
}

TEST_CASE("who wants a bank of the cluster's cache that another has waits, and no other cluster does")
{
    ClusteredMemory memory = machine();
    (void)memory.read({0, own, 8, 0});
    (void)memory.read({0, own + 32, 8, 2000});
    CHECK(memory.read({0, own, 8, 9000}) == 100);
    CHECK(memory.read({1, own, 8, 9000}) == 200);
    CHECK(memory.read({1, own + 32, 8, 9000}) == 100); // the other bank
    CHECK(memory.read({2, others, 8, 9000}) == 1100);
    CHECK(memory.counts(1).bus_waiting == 100);
    CHECK(memory.counts(2).bus_waiting == 0);
}

TEST_CASE("fetches of instructions take no time")
{
    ClusteredMemory memory = machine();
    CHECK(memory.fetch({0, 0, 64, 0}) == 0);
    CHECK(memory.fetch({0, own, 64, 0}) == 0);
    CHECK(memory.counts(0).fetches == 2);
    CHECK(memory.read({1, own, 8, 0}) == 1100);
}

TEST_CASE("a word of the memory for all goes through two stages, and a read back through two")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, 0, 8, 0}) == there_and_back);
    CHECK(memory.read({0, 0, 8, 1000}) == there_and_back); // no cache holds it
    CHECK(memory.write({0, 0, 8, 2000}) == there);
    CHECK(memory.read({0, 0, 16, 3000}) == 2 * there_and_back);
    CHECK(memory.counts(0).bus_waiting == 0);
    CHECK(memory.counts(0).bus_transfers == 5);
    CHECK(memory.counts(0).read_misses == 0);
}

TEST_CASE("another cluster's memory, and what lies behind all of them, is reached as the memory for all is")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, others, 8, 0}) == there_and_back);
    CHECK(memory.read({2, own, 8, 1000}) == there_and_back);
    CHECK(memory.read({2, bus, 8, 2000}) == there_and_back);
    CHECK(memory.read({0, others + 8192, 8, 3000}) == there_and_back);
    CHECK(memory.read({2, others + 8192, 8, 4000}) == there_and_back);
}

TEST_CASE("who wants the same module waits until it is free")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, 0, 8, 0}) == there_and_back);
    CHECK(memory.read({2, 0, 8, 0}) == there_and_back + 400);
    CHECK(memory.read({3, 8, 8, 100}) == there_and_back); // another module
    CHECK(memory.write({1, 0, 8, 0}) == there + 2 * 400); // when the two before have been served
    CHECK(memory.counts(2).bus_waiting == 400);
    CHECK(memory.counts(1).bus_waiting == 2 * 400);
}

TEST_CASE("a cluster's concurrency bus does one operation at a time")
{
    ClusteredMemory memory = machine();
    CHECK(memory.write({0, bus, 4, 0}) == 300);
    CHECK(memory.read({1, bus + 4092, 4, 100}) == 200 + 300);
    CHECK(memory.read({2, others + 4096, 4, 100}) == 300); // another cluster's
    CHECK(memory.read({0, bus - 8, 8, 1000}) == 1100);     // no part of it
    CHECK(memory.counts(1).bus_waiting == 200);
    CHECK(memory.counts(1).read_misses == 0);
}

TEST_CASE("who wants the same way out of a crossbar waits in front of it")
{
    TwoStageNetwork network(2, 2, {.stage = 20, .port = 10});
    CHECK(network.there(0, 0, 0) == 40);
    CHECK(network.there(0, 1, 0) == 50);  // one lane joins the two crossbars
    CHECK(network.there(0, 2, 0) == 40);  // another crossbar of the second stage
    CHECK(network.there(1, 0, 20) == 60); // the module's way out is free again
    CHECK(network.there(1, 0, 20) == 70);
    CHECK(network.back(0, 0, 1, 0) == 40); // the way back is another network
}

TEST_CASE("two lanes join crossbars of four ways in two clusters")
{
    TwoStageNetwork network(2, 4, {.stage = 20, .port = 10});
    CHECK(network.there(0, 0, 0) == 40);
    CHECK(network.there(0, 1, 0) == 40); // the other lane
    CHECK(network.there(0, 2, 0) == 50); // the first one's
}
