// SPDX-License-Identifier: MIT
// Barriers, waits, distributions, turns, announcements and the coming to a loop, in every order of the steps
// of two threads.
#include "messaging/design/leaf_arguments.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/selection.hpp"
#include "userlib/loops/announcement.hpp"
#include "userlib/loops/loop.hpp"
#include "userlib/loops/reduction_blocks.hpp"
#include "userlib/loops/testing/made_leaves.hpp"

#include "userlib/loops/leaves.hpp"

using namespace parley;
using namespace parley::loops;
using loops::testing::Ledger;
using loops::testing::MadeBarrier;
using loops::testing::MadeDistribution;

namespace {

explorer::Options few() { return {.preemptions = 1, .older = 1, .weak_executions = 150}; }

// A wait that looks a few times only: each look is a step.
Chosen<WaitKind> wait_of(std::string_view name)
{
    for (const WaitKind& kind : waits())
        if (kind.name == name)
            return {&kind, kind.arguments.empty() ? LeafValues{} : LeafValues{1}};
    return {};
}

Chosen<BarrierKind> barrier_of(std::string_view name)
{
    for (const BarrierKind& kind : barriers())
        if (kind.name == name)
            return {&kind, messaging::completed(kind.arguments)};
    return {};
}

// Two threads meet, one tells the other something in plain memory, they gather, and meet again.
explorer::Play meeting(std::string_view barrier, std::string_view wait)
{
    struct Scene {
        Scene(std::string_view barrier, std::string_view wait)
            : made(barrier_of(barrier), wait_of(wait), 2, false)
        {
        }
        MadeBarrier made;
        unsigned told[2] = {0, 0};
        bool heard[2] = {true, true}; // each party its own
    };
    auto scene = std::make_shared<Scene>(barrier, wait);
    explorer::Play play;
    for (unsigned number = 0; number < 2; ++number)
        play.parties.push_back([scene, number] {
            NothingElse nothing;
            scene->told[number] = 1;
            scene->made.leaf().meet(number, nothing);
            scene->heard[number] = scene->told[1 - number] == 1;
            scene->made.leaf().meet(number, nothing);
            scene->told[number] = 2;
            scene->made.leaf().gather(number, nothing);
            if (number == 0)
                scene->heard[0] = scene->heard[0] && scene->told[1] == 2;
        });
    play.check = [scene]() -> std::string {
        return scene->heard[0] && scene->heard[1] ? "" : "a thread went on too early";
    };
    return play;
}

explorer::Play handing_out(std::string_view name)
{
    auto scene = std::make_shared<MadeDistribution>(distribution(name), 4, 2u);
    auto ledgers = std::make_shared<std::array<Ledger, 2>>();
    explorer::Play play;
    for (unsigned number = 0; number < 2; ++number)
        play.parties.push_back([scene, ledgers, number] {
            Cursor cursor;
            for (Chunk chunk{}; scene->leaf().next(number, cursor, chunk);) {
                const explorer::Aside aside;
                (*ledgers)[number].add(chunk);
            }
        });
    play.check = [ledgers] {
        (*ledgers)[0].merge((*ledgers)[1]);
        return (*ledgers)[0].fault(4);
    };
    return play;
}

} // namespace

TEST_CASE("every barrier lets nobody on early in any order of steps")
{
    parley::testing::for_each_leaf<BarrierLeaves>([]<class Leaf>() {
        INFO("barrier=" << Leaf::name);
        CHECK(explorer::explore(few(), [] { return meeting(Leaf::name, "two-phase"); }).failure == "");
    });
}

TEST_CASE("every wait ends in any order of steps")
{
    parley::testing::for_each_leaf<WaitLeaves>([]<class Leaf>() {
        INFO("wait=" << Leaf::name);
        CHECK(explorer::explore(few(), [] { return meeting("central", Leaf::name); }).failure == "");
    });
}

TEST_CASE("every distribution hands out each iteration once in any order of steps")
{
    parley::testing::for_each_leaf<DistributionLeaves>([]<class Leaf>() {
        INFO("distribution=" << Leaf::name);
        CHECK(explorer::explore(few(), [] { return handing_out(Leaf::name); }).failure == "");
    });
}

namespace {

// A loop that two threads share, and what they wait by.
struct LoopOfTwo {
    LoopOfTwo() { loop.prepare(2, lines.data()); }
    MadeBarrier made{barrier_of("central"), wait_of("sleeping"), 2, false};
    std::array<Line, 2> lines;
    Loop loop;
};

} // namespace

// Two loops in one place: the second is set up when both have left the first, and both find it so.
TEST_CASE("a loop is set up once and used again in any order of steps")
{
    const auto play = [] {
        struct Scene {
            LoopOfTwo two;
            std::uint64_t sum = 0; // of the loops' ordered regions
        };
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        for (unsigned number = 0; number < 2; ++number)
            play.parties.push_back([scene, number] {
                NothingElse nothing;
                for (std::uint32_t use = 0; use < 2; ++use) {
                    const LoopPlan plan{2, 0, 1, 2, distribution("static"), true};
                    scene->two.loop.enter(use, plan, scene->two.made.wait(), nothing);
                    Cursor cursor;
                    for (Chunk chunk{}; scene->two.loop.next(number, cursor, chunk);) {
                        scene->two.loop.turns().await(chunk, scene->two.made.wait(), nothing);
                        scene->sum = scene->sum * 2 + chunk.first;
                        scene->two.loop.turns().pass(chunk);
                    }
                    scene->two.loop.leave();
                }
            });
        play.check = [scene]() -> std::string { return scene->sum == 5 ? "" : "regions out of order"; };
        return play;
    };
    CHECK(explorer::explore(few(), play).failure == "");
}

// In the first of two loops they share memory alone.
TEST_CASE("what a loop's threads share is made once and seen by all in any order of steps")
{
    const auto play = [] {
        struct Scene {
            LoopOfTwo two;
            std::array<ReductionBlock, 2> blocks{};
            unsigned times_made = 0, times_begun = 0; // each by who comes first
            bool heard[2] = {true, true};             // each party its own
        };
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        for (unsigned number = 0; number < 2; ++number)
            play.parties.push_back([scene, number] {
                NothingElse nothing;
                Wait& wait = scene->two.made.wait();
                bool& heard = scene->heard[number];
                for (std::uint32_t use = 0; use < 2; ++use) {
                    scene->two.loop.enter(use, {0, 0, 1, 0, distribution("static")}, wait, nothing);
                    const auto begin = [&](void* memory) {
                        *static_cast<unsigned*>(memory) += ++scene->times_made;
                    };
                    const void* const memory =
                        scene->two.loop.shared_memory(sizeof(unsigned), begin, wait, nothing);
                    heard = heard && *static_cast<const unsigned*>(memory) == use + 1;
                    if (use == 1) {
                        ReductionBlock& own = scene->blocks[number];
                        const ReductionBlock& first = scene->two.loop.first_reductions(
                            own, [&] { own.copies = ++scene->times_begun; }, wait, nothing);
                        heard = heard && first.copies == 1;
                    }
                    scene->two.loop.leave();
                }
            });
        play.check = [scene]() -> std::string {
            if (scene->times_made != 2 || scene->times_begun != 1)
                return "what is shared was not made once";
            return scene->heard[0] && scene->heard[1] ? "" : "a thread has not seen what another has made";
        };
        return play;
    };
    CHECK(explorer::explore(few(), play).failure == "");
}

// One waits for the first inner iteration of another, then for all of them, of which that one says nothing.
TEST_CASE("an iteration finds what one that it depends on has done in any order of steps")
{
    const auto play = [] {
        struct Scene {
            Scene()
                : posts(IterationPosts::make(memory.data(), std::array<std::uint64_t, 2>{2, 2})),
                  room(IterationPosts::bytes(std::array<std::uint64_t, 2>{2, 2}) <= sizeof memory)
            {
            }
            MadeBarrier made{barrier_of("central"), wait_of("sleeping"), 2, false};
            alignas(16) std::array<std::byte, 512> memory{};
            IterationPosts& posts;
            const bool room;
            unsigned first = 0, second = 0; // written before they are told
            bool had_first = false, had_all = false;
        };
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        play.parties.push_back([scene] {
            scene->first = 1;
            scene->posts.post(std::array<std::uint64_t, 2>{0, 0});
            scene->second = 1;
            scene->posts.post_all({0, 1});
        });
        play.parties.push_back([scene] {
            NothingElse nothing;
            scene->posts.await(std::array<std::uint64_t, 2>{0, 0}, scene->made.wait(), nothing);
            scene->had_first = scene->first == 1;
            scene->posts.await(std::array<std::uint64_t, 2>{0, 1}, scene->made.wait(), nothing);
            scene->had_all = scene->second == 1;
        });
        play.check = [scene]() -> std::string {
            return scene->room && scene->had_first && scene->had_all ? "" : "an iteration went on too early";
        };
        return play;
    };
    CHECK(explorer::explore(few(), play).failure == "");
}

// The helper has no part in the first body, which is over at once, and one in the next.
TEST_CASE("a helper takes part once in each body that is for it in any order of steps")
{
    const auto play = [] {
        struct Scene {
            MadeBarrier made{barrier_of("central"), wait_of("sleeping"), 2, false};
            Announcement announced;
            Signal done;
            unsigned body = 0;  // written before it is announced
            unsigned found = 0; // the sum of those that the helper takes part in
        };
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        play.parties.push_back([scene] {
            NothingElse nothing;
            scene->body = 10;
            scene->announced.announce(1);
            scene->body = 1;
            scene->announced.announce(2);
            scene->made.wait().until_moved(scene->done, 0, nothing);
            scene->announced.announce(0);
        });
        play.parties.push_back([scene] {
            NothingElse nothing;
            std::uint32_t heard = 0;
            while (const unsigned threads = scene->announced.await(heard, scene->made.wait(), nothing))
                if (threads == 2) {
                    scene->found += scene->body;
                    scene->done.move_on();
                }
        });
        play.check = [scene]() -> std::string {
            return scene->found == 1 ? "" : "the helper took part " + std::to_string(scene->found) + " times";
        };
        return play;
    };
    CHECK(explorer::explore(few(), play).failure == "");
}

// A thread that sleeps for others hears of work that is queued meanwhile.
TEST_CASE("a sleeper hears of work in any order of steps")
{
    const auto play = [] {
        struct Working final : Meanwhile {
            Working() { watch(&queued); }
            void work() override { queued.fetch_sub(1), done.move_on(); }
            Atomic<std::uint32_t> queued{0};
            Signal done, go;
        };
        struct Scene {
            MadeBarrier made{barrier_of("central"), wait_of("sleeping"), 2, false};
            Working working;
        };
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        play.parties.push_back(
            [scene] { scene->made.wait().until_moved(scene->working.go, 0, scene->working); });
        play.parties.push_back([scene] {
            NothingElse nothing;
            scene->working.queued.fetch_add(1);
            scene->working.notice_work();
            scene->made.wait().until_moved(scene->working.done, 0, nothing);
            scene->working.go.move_on();
        });
        play.check = [] { return std::string(); };
        return play;
    };
    CHECK(explorer::explore(few(), play).failure == "");
}
