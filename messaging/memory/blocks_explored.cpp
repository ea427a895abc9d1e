// SPDX-License-Identifier: MIT
// A block that is broadcast while a process that has no part in it tries to release it, in every order of
// steps: the block stays its readers'.
#include "messaging/memory/blocks.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/mapped_memory.hpp"

#include <memory>
#include <new>
#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t arena_bytes = 1 << 18;
constexpr unsigned sender = 0, stranger = 1, reader = 2, processes = 3, copies = 2;

struct BlocksMemory {
    BlocksMemory()
    {
        if (!buffers.start() || !blocks.start())
            throw std::bad_alloc();
        block = *blocks.allocate(sender, 64, 1);
    }

    testing::MappedMemory memory{arena_bytes}, more{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    testing::MappedMemory more_table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{more.start(), arena_bytes, more_table.start()};
    Blocks::Received received[processes];
    Blocks blocks{memory.start(), arena_bytes, table.start(), buffers, received};
    std::uintptr_t block = 0;
    explorer::Noted<bool> is_given = false, is_released = false;
};

explorer::Play a_stranger_releases_a_broadcast_block()
{
    const auto scene = std::make_shared<BlocksMemory>();
    explorer::Play play;
    play.parties.push_back(
        [=] { scene->is_given = scene->blocks.give(sender, scene->block, 64, copies).has_value(); });
    play.parties.push_back(
        [=] { scene->is_released = scene->blocks.release(stranger, scene->block).has_value(); });
    play.check = [=]() -> std::string {
        if (!scene->is_given || scene->is_released)
            return "the block is not its owner's to give, or a stranger's to release";
        scene->blocks.accept(reader, scene->block);
        scene->blocks.discard(scene->block);
        const bool is_last = scene->blocks.release(reader, scene->block).has_value();
        return is_last && scene->blocks.used_units() == 0 ? ""
                                                          : "the block is not free when its readers are done";
    };
    return play;
}

} // namespace

TEST_CASE("a block that is broadcast is no stranger's to release in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, a_stranger_releases_a_broadcast_block).failure == "");
}
