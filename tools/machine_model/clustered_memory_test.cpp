// SPDX-License-Identifier: MIT
// Times computed by hand, of two clusters of two processors: a cluster's memory has 4096 bytes, a hit takes
// 100 ps and a bank as long, a miss 1000 more; a stage of the network 20 and its way out 10, a module 400.
#include "tools/machine_model/clustered_memory.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr Picoseconds there = 2 * 20;
constexpr Picoseconds there_and_back = there + 400 + 2 * 20;

ClusteredMemory machine()
{
    return {{.clusters = 2, .processors = 2, .memory = 4096, .cache = 128, .ways = 1, .line = 32, .banks = 2},
            {.bank = 100, .hit = 100, .miss = 1000},
            {.width = 8, .module = 400, .network = {.stage = 20, .port = 10}}};
}

} // namespace

TEST_CASE("a cluster's processors share its cache, whose lines give way to each other")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, 0, 8, 0}) == 1100);
    CHECK(memory.read({1, 8, 8, 2000}) == 100);
    CHECK(memory.write({1, 128, 4, 3000}) == 1100); // the same place of the cache
    CHECK(memory.read({0, 0, 8, 5000}) == 1100);
    CHECK(memory.fetch({0, 28, 8, 7000}) == 100 + 1100); // two lines, of which it has one
    CHECK(memory.counts(0).read_misses == 2);
    CHECK(memory.counts(0).fetch_misses == 1);
    CHECK(memory.counts(1).write_misses == 1);
}

TEST_CASE("who wants a bank of the cluster's cache that another has waits, and no other cluster does")
{
    ClusteredMemory memory = machine();
    (void)memory.read({0, 0, 8, 0});
    (void)memory.read({0, 32, 8, 2000});
    CHECK(memory.read({0, 0, 8, 9000}) == 100);
    CHECK(memory.read({1, 0, 8, 9000}) == 200);
    CHECK(memory.read({1, 32, 8, 9000}) == 100); // the other bank
    CHECK(memory.read({2, 4096, 8, 9000}) == 1100);
    CHECK(memory.counts(1).bus_waiting == 100);
    CHECK(memory.counts(2).bus_waiting == 0);
}

TEST_CASE("a word of the memory for all goes through two stages, and a read back through two")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, 8192, 8, 0}) == there_and_back);
    CHECK(memory.read({0, 8192, 8, 1000}) == there_and_back); // no cache holds it
    CHECK(memory.write({0, 8192, 8, 2000}) == there);
    CHECK(memory.read({0, 8192, 16, 3000}) == 2 * there_and_back);
    CHECK(memory.read({0, 4096, 8, 9000}) == there_and_back); // another cluster's
    CHECK(memory.counts(0).read_misses == 0);
}

TEST_CASE("who wants the same module waits until it is free")
{
    ClusteredMemory memory = machine();
    CHECK(memory.read({0, 8192, 8, 0}) == there_and_back);
    CHECK(memory.read({2, 8192, 8, 0}) == there_and_back + 400);
    CHECK(memory.read({3, 8192 + 8, 8, 100}) == there_and_back); // another module
    CHECK(memory.counts(2).bus_waiting == 400);
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
