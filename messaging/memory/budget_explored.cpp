// SPDX-License-Identifier: MIT
// Two processes wait for budget, one of them no longer, in every order of steps: what is freed then is told
// to the other.
#include "messaging/memory/budget.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/lone_process.hpp"
#include "testing/mapped_memory.hpp"

#include <array>
#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t arena_bytes = 1 << 16;

struct Scene {
    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap heap{memory.start(), arena_bytes, table.start()};
    testing::LoneProcess stays, goes;
    std::array<Waiter<>*, 2> waiters{&stays.waiter, &goes.waiter};
    Budget<> budget{heap, waiters};
};

explorer::Play one_of_two_waits_no_longer()
{
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([=] { scene->budget.announce(scene->stays.waiter); });
    play.parties.push_back([=] {
        scene->budget.announce(scene->goes.waiter);
        scene->budget.withdraw(scene->goes.waiter);
    });
    play.check = [=] {
        scene->stays.signals();
        scene->budget.freed();
        return scene->stays.signals() == 1 ? "" : "who waits is not told";
    };
    return play;
}

} // namespace

TEST_CASE("who waits for budget is told what is freed after another waits no longer in every order of steps")
{
    CHECK(explorer::explore({.preemptions = explorer::unlimited}, one_of_two_waits_no_longer).failure == "");
}
