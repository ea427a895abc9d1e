// SPDX-License-Identifier: MIT
#include "messaging/memory/buddy_heap.hpp"

#include "arch/hosted/hosted.hpp"
#include "messaging/memory/blocks.hpp"
#include "testing/catch.hpp"
#include "testing/mapped_memory.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

struct HeapMemory {
    explicit HeapMemory(std::size_t bytes) : memory(bytes), table(BuddyHeap::table_bytes(bytes)) { }
    testing::MappedMemory memory;
    testing::MappedMemory table;
};

// The blocks of a job with so many processes, and the heap that their sets of readers come from.
struct Job {
    explicit Job(unsigned processes)
        : buffers(system.memory.start(), 1 << 20, system.table.start()), received(processes),
          blocks(shared.memory.start(), 1 << 20, shared.table.start(), buffers, received)
    {
        REQUIRE(buffers.start());
        REQUIRE(blocks.start());
    }
    HeapMemory system{1 << 20};
    HeapMemory shared{1 << 20};
    BuddyHeap buffers;
    std::vector<Blocks::Received> received;
    Blocks blocks;
};

} // namespace

TEST_CASE("blocks of a heap never overlap, and all of it comes back")
{
    const std::size_t bytes = (3u << 20) + 5 * 4096; // not a power of two
    HeapMemory arena(bytes);
    BuddyHeap heap(arena.memory.start(), bytes, arena.table.start());
    REQUIRE(heap.start());
    std::map<std::byte*, std::size_t> held;
    std::mt19937 random(1);
    for (int turn = 0; turn < 20000; ++turn) {
        if (random() % 2 == 0 || held.empty()) {
            const std::size_t size = 1 + random() % (random() % 20 == 0 ? 200000 : 2000);
            const auto block = heap.allocate(size);
            if (!block)
                continue;
            const auto next = held.lower_bound(*block);
            REQUIRE((next == held.end() || *block + size <= next->first));
            REQUIRE((next == held.begin() || std::prev(next)->first + std::prev(next)->second <= *block));
            std::memset(*block, 1, size);
            held.emplace(*block, size);
        } else {
            const auto victim = std::next(held.begin(), static_cast<long>(random() % held.size()));
            heap.release(victim->first);
            held.erase(victim);
        }
    }
    for (const auto& [block, size] : held)
        heap.release(block);
    CHECK(heap.used_units() == 0);
    CHECK(heap.allocate(heap.largest())); // everything has joined again
}

TEST_CASE("what a party has released is at hand for it, and counts as free")
{
    HeapMemory arena(1 << 20);
    BuddyHeap heap(arena.memory.start(), 1 << 20, arena.table.start());
    REQUIRE(heap.start());
    std::byte* const first = *heap.allocate(4096, 1);
    std::byte* const second = *heap.allocate(4096, 1);
    CHECK(heap.used_units() == 2 * 4096 / BuddyHeap::unit_bytes);
    heap.release(first, 2);
    CHECK(heap.used_units() == 4096 / BuddyHeap::unit_bytes);
    CHECK(*heap.allocate(3000, 2) == first);
    heap.release(first, 2);
    heap.release(second, 2); // one lies there already, so this is anybody's
    CHECK(heap.used_units() == 0);
    CHECK(*heap.allocate(4096, 3) == second);
    heap.release(second, 3);
    CHECK(heap.allocate(heap.largest())); // shelves are cleared for who finds nothing else
    CHECK_FALSE(heap.allocate(1, 2));
}

TEST_CASE("blocks that parties take and release at once are never two parties'")
{
    constexpr std::size_t bytes = 64 << 10;
    HeapMemory arena(bytes);
    BuddyHeap heap(arena.memory.start(), bytes, arena.table.start());
    REQUIRE(heap.start());
    std::atomic<bool> overlapped = false;
    const auto party = [&](unsigned number) {
        std::mt19937 random(number);
        for (int turn = 0; turn < 20000; ++turn) {
            const std::size_t size = random() % 50 == 0 ? 30000 : 1 + random() % 4000;
            const auto block = heap.allocate(size, number % 2);
            if (!block)
                continue;
            std::memset(*block, static_cast<int>(number), size);
            for (std::size_t at = 0; at < size; at += 64)
                if ((*block)[at] != static_cast<std::byte>(number))
                    overlapped = true;
            heap.release(*block, number % 2);
        }
    };
    {
        std::vector<std::jthread> parties;
        for (unsigned number = 1; number <= 4; ++number)
            parties.emplace_back(party, number);
    }
    CHECK_FALSE(overlapped);
    CHECK(heap.used_units() == 0);
    CHECK(heap.allocate(heap.largest()));
}

TEST_CASE("a heap that cannot be populated says so and loses nothing")
{
    HeapMemory arena(1 << 20);
    BuddyHeap heap(arena.memory.start(), 1 << 20, arena.table.start());
    REQUIRE(heap.start());
    // First the pages of its table, then those of the block, cannot be had.
    for (const bool has_split : {false, true}) {
        std::byte* const first = has_split ? heap.allocate(8 * 4096).value_or(nullptr) : nullptr;
        const std::size_t used = heap.used_units();
        hosted::limit_population(3);
        const auto refused = heap.allocate(8 * 4096);
        hosted::limit_population(-1);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == Error::no_memory);
        CHECK(heap.used_units() == used);
        if (first != nullptr)
            heap.release(first);
    }
    CHECK(heap.allocate(heap.largest()));
}

TEST_CASE("a block has one owner at a time")
{
    Job job(4);
    Blocks& blocks = job.blocks;
    const std::uintptr_t block = *blocks.allocate(1, 1000, 64);
    CHECK(block % 64 == 0);
    CHECK_FALSE(blocks.release(2, block));
    CHECK_FALSE(blocks.release(1, block + 256));
    CHECK_FALSE(blocks.release(1, block + 1));
    CHECK_FALSE(blocks.give(2, block, 10, 1));
    CHECK(blocks.give(1, block, 5000, 1).error() == Error::bad_length);
    const Result<std::uintptr_t> carried = blocks.give(1, block, 1000, 1);
    REQUIRE(carried);
    CHECK_FALSE(blocks.release(1, block));
    CHECK(blocks.accept(2, *carried) == block);
    CHECK(blocks.release(2, block));
    CHECK_FALSE(blocks.release(2, block));
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a block of several readers goes with the last")
{
    Job job(4);
    Blocks& blocks = job.blocks;
    const std::uintptr_t block = *blocks.allocate(0, 1000, 8);
    REQUIRE(blocks.give(0, block, 1000, 3));
    blocks.accept(1, block);
    blocks.accept(2, block);
    blocks.discard(block); // the third has ended
    CHECK_FALSE(blocks.release(0, block));
    CHECK(blocks.release(1, block));
    CHECK_FALSE(blocks.release(1, block));
    CHECK(blocks.used_units() != 0);
    blocks.release_all(2);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a block has more readers than a word has bits, and their set goes with it")
{
    for (const unsigned processes : {64u, 65u, 4096u}) {
        Job job(processes);
        const std::uintptr_t block = *job.blocks.allocate(0, 1000, 8);
        REQUIRE(job.blocks.give(0, block, 1000, processes - 1));
        CHECK((job.buffers.used_units() != 0) == (processes > 64));
        for (unsigned reader = 1; reader < processes; ++reader)
            job.blocks.accept(reader, block);
        CHECK_FALSE(job.blocks.release(0, block));
        CHECK_FALSE(job.blocks.release(processes, block));
        for (unsigned reader = processes - 1; reader >= 1; --reader) {
            CHECK(job.blocks.used_units() != 0);
            CHECK(job.blocks.release(reader, block));
            CHECK_FALSE(job.blocks.release(reader, block));
        }
        CHECK(job.blocks.used_units() == 0);
        CHECK(job.buffers.used_units() == 0);
        CHECK_FALSE(job.blocks.give(0, block, 10, 3));
        CHECK(job.buffers.used_units() == 0);
    }
}

TEST_CASE("allocations that make no sense are refused")
{
    Job job(4);
    Blocks& blocks = job.blocks;
    CHECK(blocks.allocate(0, 10, 3).error() == Error::bad_argument);
    CHECK(blocks.allocate(0, 10, 1 << 20).error() == Error::bad_argument);
    CHECK(blocks.allocate(0, 2 << 20, 8).error() == Error::no_memory);
}
