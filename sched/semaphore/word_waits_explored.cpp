// SPDX-License-Identifier: MIT
// Sleeping on words by P and V, in every order of the steps of who sleeps, who wakes and who is killed.
#include "sched/semaphore/kernel.hpp"
#include "sched/semaphore/word_waits.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <deque>
#include <memory>

using namespace parley;
using namespace parley::sched;

namespace {

// Of a kind without policy processes: what those do to one P and its V is explored with the semaphores.
struct Scene {
    explicit Scene(unsigned parties)
    {
        for (unsigned party = 0; party < parties; ++party)
            sleepers.emplace_back(party, counts);
    }

    // Until the word is `wanted`; false: it must end.
    bool await(unsigned party, std::uint32_t wanted)
    {
        for (;;) {
            const std::uint32_t seen = word.load();
            if (seen >= wanted)
                return true;
            if (!waits.block(sleepers[party], 64, [&] { return word.peek() == seen; }))
                return false;
        }
    }
    void announce()
    {
        word.fetch_add(1);
        waits.wake(64, ~0u);
    }

    class Clock final : public SemaphoreClock {
    public:
        std::uint64_t nanoseconds() override { return 0; }
        bool sleep_until(std::uint64_t, const Atomic<bool>&) override { return true; }
    } clock;
    CountedStore store;
    SemaphoreCounts counts;
    KernelSemaphore kind{{clock, store, counts}};
    WordWaits waits{kind};
    std::deque<WordSleeper> sleepers;
    Atomic<std::uint32_t> word{0}, given_up{0};
    explorer::Noted<unsigned> got = 0;
};

explorer::Play one_waits_for_two()
{
    const auto scene = std::make_shared<Scene>(1);
    explorer::Play play;
    play.parties.push_back([scene] { scene->got += scene->await(0, 2) ? 1 : 0; });
    play.parties.push_back([scene] { scene->announce(); });
    play.parties.push_back([scene] { scene->announce(); });
    play.check = [scene] { return scene->got == 1 ? "" : "it did not see both"; };
    return play;
}

// The other wakes, at whatever step the one is killed.
explorer::Play one_of_two_is_killed()
{
    const auto scene = std::make_shared<Scene>(2);
    explorer::Play play;
    play.parties.push_back([scene] { (void)scene->await(0, 1); });
    play.parties.push_back([scene] { scene->got += scene->await(1, 1) ? 1 : 0; });
    play.parties.push_back([scene] {
        explorer::kill(0);
        scene->announce();
    });
    play.check = [scene] { return scene->got == 1 ? "" : "the other was not woken"; };
    return play;
}

// Once the killed one has given up, one wake is the other's.
explorer::Play one_of_two_has_given_up()
{
    const auto scene = std::make_shared<Scene>(2);
    explorer::Play play;
    play.parties.push_back([scene] {
        (void)scene->await(0, 1);
        scene->given_up.store(1);
    });
    play.parties.push_back([scene] { scene->got += scene->await(1, 1) ? 1 : 0; });
    play.parties.push_back([scene] {
        explorer::kill(0);
        while (scene->given_up.load() == 0)
            explorer::spin();
        scene->word.store(1);
        scene->waits.wake(64, 1);
    });
    play.check = [scene] { return scene->got == 1 ? "" : "the other was not woken"; };
    return play;
}

// One wake for each: who is woken early by a V that was left over sleeps again, and none is lost.
explorer::Play each_is_woken_by_itself()
{
    const auto scene = std::make_shared<Scene>(2);
    explorer::Play play;
    for (unsigned party = 0; party < 2; ++party)
        play.parties.push_back([scene, party] { scene->got += scene->await(party, 1) ? 1 : 0; });
    play.parties.push_back([scene] {
        scene->word.store(1);
        scene->waits.wake(64, 1);
        scene->waits.wake(64, 1);
    });
    play.check = [scene] { return scene->got == 2 ? "" : "somebody was not woken"; };
    return play;
}

} // namespace

TEST_CASE("a wake-up of who sleeps by semaphores is not lost in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, one_waits_for_two).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, each_is_woken_by_itself).failure == "");
}

TEST_CASE("a killed sleeper takes no wake-up along in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, one_of_two_is_killed).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, one_of_two_has_given_up).failure == "");
}
