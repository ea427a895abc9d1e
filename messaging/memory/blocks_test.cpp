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

struct BlocksMemory {
    testing::MappedMemory memory{arena_bytes}, more{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    testing::MappedMemory more_table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{more.start(), arena_bytes, more_table.start()};
    Blocks::Received received[2];
    Blocks blocks{memory.start(), arena_bytes, table.start(), buffers, received};

    BlocksMemory()
    {
        REQUIRE(buffers.start());
        REQUIRE(blocks.start());
    }
};

} // namespace

TEST_CASE("only its owner gives a block, and only what it has")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t block = *blocks.allocate(0, 300, 1);
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + BuddyHeap::unit_bytes, 44, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + 1, 1, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block + arena_bytes, 1, 1).error() == Error::not_owned);
    CHECK(blocks.give(0, block, 513, 1).error() == Error::bad_length);
    const Result<std::uintptr_t> carried = blocks.give(0, block, 300, 1);
    REQUIRE(carried);
    CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.release(0, block).error() == Error::not_owned);
    CHECK(blocks.accept(1, *carried) == block);
    CHECK(blocks.release(0, block).error() == Error::not_owned);
    CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.give(1, block, 513, 1).error() == Error::bad_length);
    CHECK(blocks.give(1, block + 1, 1, 1).error() == Error::not_owned);
    REQUIRE(blocks.give(1, block, 512, 1) == carried);
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.accept(1, *carried) == block);
    REQUIRE(blocks.release(1, block));
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("the block that a process received first is given on in few steps, and no other is")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t own = *blocks.allocate(1, 300, 1);
    CHECK(blocks.give_first(1, own, 300) == 0);
    const std::uintptr_t block = *blocks.allocate(0, 300, 1), next = *blocks.allocate(0, 300, 1);
    const std::uintptr_t carried = *blocks.give(0, block, 300, 1), also = *blocks.give(0, next, 300, 1);
    CHECK(blocks.accept(1, carried) == block);
    CHECK(blocks.accept(1, also) == next);
    CHECK(blocks.give_first(0, block, 300) == 0);
    CHECK(blocks.give_first(2, block, 300) == 0);
    CHECK(blocks.give_first(1, block, 513) == 0);
    CHECK(blocks.give_first(1, block + 1, 1) == 0);
    CHECK(blocks.give_first(1, next, 300) == 0);
    REQUIRE(blocks.give_first(1, block, 512) == carried);
    CHECK(blocks.give_first(1, block, 300) == 0);
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    REQUIRE(blocks.give(1, next, 300, 1) == also);
    CHECK(blocks.accept(0, carried) == block);
    CHECK(blocks.accept(0, also) == next);
    blocks.release_all(0);
    blocks.release_all(1);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a block whose owner ends, or whose message is dropped, is free, and belongs to nobody")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t kept = *blocks.allocate(0, 300, 1), dropped = *blocks.allocate(0, 300, 1);
    const Result<std::uintptr_t> carried = blocks.give(0, dropped, 300, 1);
    REQUIRE(carried);
    blocks.release_all(0);
    CHECK(blocks.used_units() == 2);
    blocks.discard(*carried);
    CHECK(blocks.used_units() == 0);
    for (const std::uintptr_t block : {kept, dropped})
        CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
}

TEST_CASE("a process has more received blocks than its list has slots, and gives, releases and leaves each")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    constexpr std::size_t count = 3 * sizeof(Blocks::Received::carried) / sizeof(std::uintptr_t);
    std::array<std::uintptr_t, count> all{};
    for (std::uintptr_t& block : all) {
        block = *blocks.allocate(0, 300, 1);
        CHECK(blocks.accept(1, *blocks.give(0, block, 300, 1)) == block);
    }
    for (const std::uintptr_t block : all)
        CHECK(blocks.give(0, block, 300, 1).error() == Error::not_owned);
    for (std::size_t index = 0; index < count; index += 3) {
        CHECK(blocks.accept(0, *blocks.give(1, all[index], 300, 1)) == all[index]);
        REQUIRE(blocks.release(1, all[index + 1]));
        CHECK(blocks.release(1, all[index + 1]).error() == Error::not_owned);
    }
    blocks.release_all(1);
    CHECK(blocks.used_units() == 2 * count / 3);
    blocks.release_all(0);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a message that its receiver was cut off with gives up no block that this one has already")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t block = *blocks.allocate(0, 300, 1);
    const std::uintptr_t carried = *blocks.give(0, block, 300, 1);
    CHECK(blocks.accept(1, carried) == block);
    blocks.discard(carried);
    CHECK(blocks.used_units() == 2);
    blocks.release_all(1);
    CHECK(blocks.used_units() == 0);
}

TEST_CASE("a block that was received can be broadcast")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    const std::uintptr_t block = *blocks.allocate(0, 300, 1);
    CHECK(blocks.accept(1, *blocks.give(0, block, 300, 1)) == block);
    const Result<std::uintptr_t> carried = blocks.give(1, block, 300, 2);
    REQUIRE(carried);
    CHECK(blocks.give(1, block, 300, 1).error() == Error::not_owned);
    CHECK(blocks.accept(0, *carried) == block);
    CHECK(blocks.release(1, block).error() == Error::not_owned);
    blocks.discard(*carried);
    REQUIRE(blocks.release(0, block));
    CHECK(blocks.used_units() == 0);
}

// Meanwhile each gives again and again what it has given or released, which may be the other's by then.
TEST_CASE("two processes hand blocks to each other, and neither gets hold of what it has not")
{
    BlocksMemory region;
    Blocks& blocks = region.blocks;
    constexpr int rounds = 4000;
    std::array<std::atomic<std::uintptr_t>, 2> letters{};
    std::atomic<int> wrong{0};
    const auto live = [&](unsigned self) {
        std::uintptr_t old = 0;
        for (int round = 0; round < rounds; ++round) {
            const Result<std::uintptr_t> own = blocks.allocate(self, 300, 1);
            const Result<std::uintptr_t> carried = blocks.give(self, own.value_or(0), 300, 1);
            if (!carried)
                ++wrong;
            while (letters[1 - self].load(std::memory_order_relaxed) != 0)
                std::this_thread::yield();
            letters[1 - self].store(carried.value_or(0), std::memory_order_release);
            std::uintptr_t letter = 0;
            while ((letter = letters[self].exchange(0, std::memory_order_acquire)) == 0) {
                if (old != 0 && blocks.give(self, old, 300, 1))
                    ++wrong;
                std::this_thread::yield();
            }
            const std::uintptr_t received = blocks.accept(self, letter);
            old = round % 2 != 0 ? received : *own;
            if (!blocks.release(self, received))
                ++wrong;
        }
    };
    std::thread other(live, 1);
    live(0);
    other.join();
    CHECK(wrong == 0);
    CHECK(blocks.used_units() == 0);
}
