// SPDX-License-Identifier: MIT
#include "messaging/memory/blocks.hpp"

#include "testing/catch.hpp"
#include "testing/mapped_memory.hpp"

#include <array>
#include <atomic>
#include <thread>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t arena_bytes = 1 << 18;

struct Region {
    testing::MappedMemory memory{arena_bytes}, more{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    testing::MappedMemory more_table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{more.start(), arena_bytes, more_table.start()};
    Blocks blocks{memory.start(), arena_bytes, table.start(), buffers, 2};

    Region()
    {
        REQUIRE(buffers.start());
        REQUIRE(blocks.start());
    }
};

} // namespace

TEST_CASE("only its owner gives a block, and only what it has")
{
    Region region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t block = *blocks.allocate(0, 300, 1);
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + BuddyHeap::unit_bytes, 44, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + 1, 1, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + arena_bytes, 1, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block, 513, 1).error() == Error::bad_length);
    REQUIRE(blocks.give(0, block, 300, 1));
    CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.release(0, block).error() == Error::not_owned);
    blocks.accept(1, block);
    CHECK(blocks.release(0, block).error() == Error::not_owned);
    REQUIRE(blocks.release(1, block));
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a block whose owner ends, or whose message is dropped, is free, and belongs to nobody")
{
    Region region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t kept = *blocks.allocate(0, 300, 1), dropped = *blocks.allocate(0, 300, 1);
    REQUIRE(blocks.give(0, dropped, 300, 1));
    blocks.release_all(0);
    CHECK(blocks.used_units() == 2);
    blocks.discard(dropped);
    CHECK(blocks.used_units() == 0);
    for (const std::uintptr_t block : {kept, dropped})
        CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
}

// Meanwhile each gives again and again what it has given or released, which may be the other's by then.
TEST_CASE("two processes hand blocks to each other, and neither gets hold of what it has not")
{
    Region region;
    Blocks& blocks = region.blocks;
    constexpr int rounds = 4000;
    std::array<std::atomic<std::uintptr_t>, 2> letters{};
    std::atomic<int> wrong{0};
    const auto live = [&](unsigned self) {
        std::uintptr_t old = 0;
        for (int round = 0; round < rounds; ++round) {
            const Result<std::uintptr_t> own = blocks.allocate(self, 300, 1);
            if (!own || !blocks.give(self, *own, 300, 1))
                ++wrong;
            while (letters[1 - self].load(std::memory_order_relaxed) != 0)
                std::this_thread::yield();
            letters[1 - self].store(*own, std::memory_order_release);
            std::uintptr_t letter = 0;
            while ((letter = letters[self].exchange(0, std::memory_order_acquire)) == 0) {
                if (old != 0 && blocks.give(self, old, 300, 1))
                    ++wrong;
                std::this_thread::yield();
            }
            blocks.accept(self, letter);
            old = round % 2 != 0 ? letter : *own;
            if (!blocks.release(self, letter))
                ++wrong;
        }
    };
    std::thread other(live, 1);
    live(0);
    other.join();
    CHECK(wrong == 0);
    CHECK(blocks.used_units() == 0);
}
