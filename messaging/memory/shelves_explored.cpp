// SPDX-License-Identifier: MIT
// Blocks on the shelves of a BuddyHeap, in every order of steps: whoever takes one has it alone, and none is
// lost of two that are put on one shelf.
#include "messaging/memory/buddy_heap.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/mapped_memory.hpp"

#include <memory>
#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t bytes = BuddyHeap::unit_bytes;
constexpr unsigned party = 0, party_of_that_shelf = 64;

// A heap of so many blocks.
class Shelved {
public:
    explicit Shelved(unsigned blocks)
        : memory_(blocks * bytes), table_(BuddyHeap::table_bytes(blocks * bytes)),
          heap_(memory_.start(), blocks * bytes, table_.start())
    {
        (void)heap_.start();
    }
    std::byte* take() { return heap_.allocate(bytes).value_or(nullptr); }
    std::byte* take(unsigned taker) { return heap_.allocate(bytes, taker).value_or(nullptr); }
    void give_back(std::byte* block, unsigned giver) { heap_.release(block, giver); }
    bool has_all() { return heap_.used_units() == 0; }

private:
    testing::MappedMemory memory_, table_;
    BuddyHeap heap_;
};

// The heap's only block lies on a party's shelf. That party wants it, and so does one who finds no other.
explorer::Play one_block_is_wanted_by_two()
{
    struct Scene : Shelved {
        Scene() : Shelved(1) { give_back(take(), party); }

        explorer::Noted<unsigned> got = 0;
        void note(const std::byte* block) { got += block != nullptr ? 1 : 0; }
    };
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->note(scene->take(party)); });
    play.parties.push_back([scene] { scene->note(scene->take()); });
    play.check = [scene] { return scene->got == 1 ? "" : "a block is not one party's alone"; };
    return play;
}

// Two parties that have the same shelf release a block each.
explorer::Play two_blocks_are_put_on_one_shelf()
{
    auto scene = std::make_shared<Shelved>(2);
    explorer::Play play;
    for (const unsigned giver : {party, party_of_that_shelf})
        play.parties.push_back([=, block = scene->take()] { scene->give_back(block, giver); });
    play.check = [scene]() -> std::string {
        if (!scene->has_all())
            return "a block that is released is lost";
        const bool has_both = scene->take() != nullptr && scene->take() != nullptr;
        return has_both && scene->take() == nullptr ? "" : "a block is lost or doubled";
    };
    return play;
}

std::string fault(explorer::Play (*make_play)())
{
    return explorer::explore({.preemptions = explorer::unlimited, .weak_executions = 400}, make_play).failure;
}

} // namespace

TEST_CASE("a block on a shelf is one party's alone in every order of steps there is")
{
    CHECK(fault(one_block_is_wanted_by_two) == "");
}

TEST_CASE("blocks that are put on one shelf are there for others in every order of steps there is")
{
    CHECK(fault(two_blocks_are_put_on_one_shelf) == "");
}
