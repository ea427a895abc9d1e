// SPDX-License-Identifier: MIT
// Every Synchronization leaf, in every order of the steps of its parties.
#include "messaging/message/message_pool.hpp"
#include "testing/catch.hpp"
#include "testing/contenders.hpp"
#include "testing/explorer.hpp"
#include "testing/wrong_leaves.hpp"

#include "messaging/leaves.hpp"

#include <memory>

using namespace parley;
using namespace parley::messaging;
using Leaf = testing::SynchronizationLeaf;

namespace {

struct Scene {
    explicit Scene(const Leaf& leaf) : made(leaf.make()), contenders(leaf, 3) { }

    std::shared_ptr<sched::Synchronization> made;
    sched::Synchronization& synchronization = *made;
    testing::Contenders contenders;
    Event event;
    Atomic<unsigned> news{0};
    unsigned inside = 0;
    unsigned entries = 0;
    bool crowded = false;

    void enter_and_leave(unsigned party)
    {
        if (!contenders.acquire(party))
            return;
        crowded = crowded || ++inside != 1;
        explorer::step();
        ++entries;
        --inside;
        contenders.release(party);
    }
    void announce()
    {
        news.fetch_add(1);
        signal(synchronization, event);
    }
    void await(unsigned wanted)
    {
        for (;;) {
            const std::uint32_t seen = event.sequence.load();
            if (news.load() >= wanted)
                return;
            if (!synchronization.wait(event, seen))
                return;
        }
    }
};

explorer::Play three_want_in(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    for (unsigned party = 0; party < 3; ++party)
        play.parties.push_back([scene, party] { scene->enter_and_leave(party); });
    play.check = [scene]() -> std::string {
        return scene->crowded || scene->entries != 3 ? "two were inside at once" : "";
    };
    return play;
}

// One lets go of the lock that another waits for, and comes back at once: while that other is the last that
// waits, or when nobody waits any more. What it then says of who is first must not be older than the other's.
explorer::Play one_lets_go_and_comes_back(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    (void)scene->contenders.acquire(0);
    explorer::Play play;
    play.parties.push_back([scene] { scene->enter_and_leave(1); });
    play.parties.push_back([scene] { scene->contenders.release(0), scene->enter_and_leave(0); });
    play.check = [scene]() -> std::string {
        if (scene->crowded || scene->entries != 2)
            return "two were inside at once";
        return scene->contenders.is_free() ? "" : "the lock stays held";
    };
    return play;
}

// Both come back, so that each waits behind the other and then with nobody behind it.
explorer::Play two_let_go_and_come_back(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    (void)scene->contenders.acquire(1);
    explorer::Play play;
    play.parties.push_back([scene] { scene->enter_and_leave(0), scene->enter_and_leave(0); });
    play.parties.push_back([scene] { scene->contenders.release(1), scene->enter_and_leave(1); });
    play.check = [scene]() -> std::string {
        if (scene->crowded || scene->entries != 3)
            return "two were inside at once";
        return scene->contenders.is_free() ? "" : "the lock stays held";
    };
    return play;
}

// In every order, with any number of preemptions; one comes back.
explorer::Play two_want_in(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([scene] { scene->enter_and_leave(0), scene->enter_and_leave(0); });
    play.parties.push_back([scene] { scene->enter_and_leave(1); });
    play.check = [scene]() -> std::string {
        if (scene->crowded || scene->entries != 3)
            return "two were inside at once";
        return scene->contenders.is_free() ? "" : "the lock stays held";
    };
    return play;
}

// One of them is killed at any step: it goes on or gives up, and the others never miss it.
explorer::Play three_want_in_and_one_is_killed(const Leaf& leaf, unsigned victim)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    for (unsigned party = 0; party < 3; ++party)
        play.parties.push_back([scene, party] { scene->enter_and_leave(party); });
    play.parties.push_back([victim] { explorer::kill(victim); });
    play.check = [scene]() -> std::string {
        if (scene->crowded || scene->entries < 2)
            return "two were inside at once, or one that lives was not";
        return scene->contenders.is_free() ? "" : "the lock stays held";
    };
    return play;
}

// A lost wake-up shows as a party that waits for ever.
explorer::Play one_waits_for_two(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([scene] { scene->await(2); });
    play.parties.push_back([scene] { scene->announce(); });
    play.parties.push_back([scene] { scene->announce(); });
    play.check = [] { return std::string(); };
    return play;
}

// Each sees the one signal, and none is counted among the sleepers afterwards.
explorer::Play two_wait_for_one(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    for (unsigned party = 0; party < 2; ++party)
        play.parties.push_back([scene] { scene->await(1); });
    play.parties.push_back([scene] { scene->announce(); });
    play.check = [scene] { return scene->event.sleepers.load() == 0 ? "" : "somebody is still counted"; };
    return play;
}

// One tells slowly while the other tells three times: what it has counted must not go back.
explorer::Play a_slow_and_a_quick_teller(const Leaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([scene] { scene->await(4); });
    play.parties.push_back([scene] { scene->announce(); });
    play.parties.push_back([scene] {
        for (unsigned news = 0; news < 3; ++news)
            scene->announce();
    });
    play.check = [scene] { return scene->event.sequence.load() == 4 ? "" : "a signal was not counted"; };
    return play;
}

// The owner takes while others give back; in the end every message is there once.
explorer::Play a_pool_with_two_returners()
{
    struct Pool {
        MessagePool pool;
        Message messages[3];
        unsigned taken = 0;
    };
    auto scene = std::make_shared<Pool>();
    for (Message& message : scene->messages)
        scene->pool.adopt(message);
    scene->pool.give_back(scene->messages[2].slot());
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->taken += scene->pool.take() != nullptr ? 1 : 0;
        scene->taken += scene->pool.take() != nullptr ? 1 : 0;
    });
    for (int party = 0; party < 2; ++party)
        play.parties.push_back([scene, party] { scene->pool.give_back(scene->messages[party].slot()); });
    play.check = [scene]() -> std::string {
        while (scene->pool.take() != nullptr)
            ++scene->taken;
        return scene->taken == 3 ? "" : "a message was lost or doubled";
    };
    return play;
}

// Who gives a message back has read it, and the owner writes into it as soon as it is back.
explorer::Play a_pool_whose_messages_are_used_again()
{
    struct Pool {
        MessagePool pool;
        Message messages[2];
        unsigned contents[2] = {};
        unsigned read = 0;
    };
    auto scene = std::make_shared<Pool>();
    for (Message& message : scene->messages)
        scene->pool.adopt(message);
    explorer::Play play;
    play.parties.push_back([scene] {
        for (int look = 0; look < 2; ++look)
            if (const MessageMemory* const message = scene->pool.take())
                ++scene->contents[message == &scene->messages[0] ? 0 : 1];
    });
    play.parties.push_back([scene] {
        for (unsigned which = 0; which < 2; ++which) {
            scene->read += scene->contents[which];
            scene->pool.give_back(scene->messages[which].slot());
        }
    });
    play.check = [scene] { return scene->read == 0 ? "" : "a message was taken before it was back"; };
    return play;
}

} // namespace

TEST_CASE("a lock admits one at a time in any order of steps")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = 3}, [=] { return three_want_in(leaf); }).failure == "");
    });
}

TEST_CASE("a short lock admits one at a time in every order of steps there is")
{
    const auto play = [] {
        struct Shared {
            sched::ShortLock lock;
            unsigned entries = 0;
        };
        const auto shared = std::make_shared<Shared>();
        explorer::Play play;
        for (unsigned party = 0; party < 2; ++party)
            play.parties.push_back([shared] {
                const sched::ShortGuard guard(shared->lock);
                ++shared->entries;
            });
        play.check = [shared] { return shared->entries == 2 ? "" : "one was not inside"; };
        return play;
    };
    CHECK(explorer::explore({.preemptions = explorer::unlimited}, play).failure == "");
}

TEST_CASE("a lock admits one of two at a time in every order of steps there is")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = explorer::unlimited}, [=] {
                  return two_want_in(leaf);
              }).failure == "");
    });
}

TEST_CASE("a lock that one lets go of and wants again is not lost, in the weak model wholly")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        const explorer::Options options{.preemptions = 2, .older = 1, .weak_executions = 0};
        CHECK(explorer::explore(options, [=] { return one_lets_go_and_comes_back(leaf); }).failure == "");
    });
}

TEST_CASE("a lock that both let go of and want again is free in the end")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = 1}, [=] { return two_let_go_and_come_back(leaf); }).failure ==
              "");
    });
}

TEST_CASE("a lock goes on to the others whoever of its parties is killed, at any step")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        for (unsigned victim = 0; victim < 3; ++victim) {
            INFO(std::string(leaf.name) << ", party " << victim);
            const auto play = [=] { return three_want_in_and_one_is_killed(leaf, victim); };
            CHECK(explorer::explore({.preemptions = 2}, play).failure == "");
        }
    });
}

TEST_CASE("a wait ends when its party is killed, at any step")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        const auto play = [=] {
            auto scene = std::make_shared<Scene>(leaf);
            explorer::Play play;
            play.parties.push_back([scene] { scene->await(2); });
            play.parties.push_back([scene] { scene->announce(); });
            play.parties.push_back([] { explorer::kill(0); });
            play.check = [scene]() -> std::string {
                return scene->event.sleepers.load() == 0 ? "" : "it is counted among the sleepers";
            };
            return play;
        };
        CHECK(explorer::explore({.preemptions = 3}, play).failure == "");
    });
}

TEST_CASE("a signal is never lost in any order of steps")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const Leaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = 3}, [=] { return one_waits_for_two(leaf); }).failure == "");
        CHECK(explorer::explore({.preemptions = 1}, [=] { return two_wait_for_one(leaf); }).failure == "");
        CHECK(explorer::explore({.preemptions = 1}, [=] {
                  return a_slow_and_a_quick_teller(leaf);
              }).failure == "");
    });
}

TEST_CASE("the explorer finds a lock that lets two in, and one that forgets to wake")
{
    const auto failure_of = [](explorer::Play (*play)(const Leaf&), const Leaf& leaf) {
        return explorer::explore({}, [=] { return play(leaf); }).failure;
    };
    using testing::synchronization_leaf;
    const auto open = failure_of(three_want_in, synchronization_leaf<testing::OpenSynchronization>);
    CHECK(open.starts_with("a race"));
    const auto hasty = failure_of(three_want_in, synchronization_leaf<testing::HastySynchronization>);
    CHECK(hasty.starts_with("a race"));
    const auto silent = failure_of(one_waits_for_two, synchronization_leaf<testing::SilentSynchronization>);
    CHECK(silent.starts_with("a party waits for ever"));
}

TEST_CASE("the explorer lets a party pause as often as the platform does")
{
    const auto with_pauses = [](unsigned pauses) {
        return explorer::explore({.preemptions = 2}, [pauses] {
            auto word = std::make_shared<Atomic<unsigned>>(0u);
            explorer::Play play;
            play.parties.push_back([word, pauses] {
                while (word->load() == 0)
                    for (unsigned pause = 0; pause < pauses; ++pause)
                        explorer::spin();
            });
            play.parties.push_back([word] { word->store(1); });
            play.check = [] { return std::string(); };
            return play;
        });
    };
    CHECK(with_pauses(1).failure == "");
    CHECK(with_pauses(3).failure == "");
    CHECK(with_pauses(explorer::most_pauses + 1).failure.starts_with("a party pauses more often"));
    const auto without = explorer::explore({.steps = 1000}, [] {
        auto word = std::make_shared<Atomic<unsigned>>(0u);
        explorer::Play play;
        play.parties.push_back([word] {
            while (word->load() == 0) { }
        });
        play.check = [] { return std::string(); };
        return play;
    });
    CHECK(without.failure.starts_with("a party goes on for ever"));
}

TEST_CASE("a pool keeps every message in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, a_pool_with_two_returners).failure == "");
    CHECK(explorer::explore({.preemptions = 3}, a_pool_whose_messages_are_used_again).failure == "");
}

TEST_CASE("the explorer finds a lost update and a lost wake-up")
{
    const auto lost_update = explorer::explore({.preemptions = 1}, [] {
        auto value = std::make_shared<Atomic<unsigned>>(0u);
        explorer::Play play;
        for (int party = 0; party < 2; ++party)
            play.parties.push_back([value] { value->store(value->load() + 1); });
        play.check = [value] { return std::string(value->load() == 2 ? "" : "lost"); };
        return play;
    });
    CHECK(lost_update.failure.starts_with("lost"));
    const auto lost_wake_up = explorer::explore({.preemptions = 1}, [] {
        auto word = std::make_shared<Atomic<std::uint32_t>>(0u);
        explorer::Play play;
        play.parties.push_back([word] {
            if (word->load() != 0)
                return;
            explorer::step();
            explorer::sleep(word.get()); // without looking again
        });
        play.parties.push_back([word] { word->store(1), explorer::wake(word.get(), 1); });
        play.check = [] { return std::string(); };
        return play;
    });
    CHECK(lost_wake_up.failure.starts_with("a party waits for ever"));
}
