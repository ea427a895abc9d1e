// SPDX-License-Identifier: MIT
// Every kind of semaphores that the kernel keeps, in every order of the steps of its parties and of its
// policy processes.
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/selection.hpp"
#include "testing/semaphore_scene.hpp"

#include "sched/leaves.hpp"

#include <memory>

using namespace parley;
using namespace parley::sched;

namespace {

// Time goes by when somebody sleeps until then, so both happen: V before the pages are due, and V after.
class ExploredClock final : public SemaphoreClock {
public:
    std::uint64_t nanoseconds() override { return now_; }
    bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>&) override
    {
        explorer::step();
        now_ = nanoseconds;
        return !explorer::must_end();
    }

private:
    explorer::Noted<std::uint64_t> now_ = 0;
};

template <class Leaf>
struct Scene : testing::SemaphoreScene<Leaf, ExploredClock> {
    using testing::SemaphoreScene<Leaf, ExploredClock>::SemaphoreScene;
    explorer::Noted<unsigned> got = 0;
    explorer::Noted<unsigned> given = 0; // Vs that have begun
    explorer::Noted<bool> got_too_early = false;
};

template <class Leaf>
std::shared_ptr<Scene<Leaf>> made_scene(unsigned parties)
{
    if constexpr (std::same_as<Leaf, Policy1Semaphore>)
        return std::make_shared<Scene<Leaf>>(parties, std::initializer_list<unsigned>{0},
                                             LeafValues{1'000, 1});
    else
        return std::make_shared<Scene<Leaf>>(parties, std::initializer_list<unsigned>{0});
}

template <class Leaf>
void add_policy_processes(explorer::Play& play, const std::shared_ptr<Scene<Leaf>>& scene)
{
    for (unsigned process = 0; process < scene->policy_processes(); ++process)
        play.parties.push_back([scene, process] { scene->run(process); });
}

// As many Vs as wait: a lost wake-up shows as a party that waits for ever.
template <class Leaf, unsigned waiting>
explorer::Play all_wait()
{
    const auto scene = made_scene<Leaf>(waiting + 1);
    explorer::Play play;
    for (unsigned party = 0; party < waiting; ++party)
        play.parties.push_back([scene, party] {
            scene->got += scene->p(0, party) ? 1 : 0;
            scene->got_too_early = scene->got_too_early || scene->got > scene->given;
            scene->leave();
        });
    play.parties.push_back([scene] {
        for (unsigned v = 0; v < waiting; ++v) {
            ++scene->given;
            scene->v(0);
        }
        scene->leave();
    });
    add_policy_processes<Leaf>(play, scene);
    play.check = [scene] {
        const parley_semaphore_counts counts = scene->counts();
        if (counts.page_writes != counts.page_reads)
            return "somebody went on without its pages";
        if (scene->got_too_early)
            return "somebody went on without a V";
        return scene->got == waiting ? "" : "somebody did not get it";
    };
    return play;
}

// A waiting process is killed, before the V for it or after; the next to ask gets what it did not.
enum class Killed { before, after };

template <class Leaf, Killed killed>
explorer::Play one_is_killed()
{
    const auto scene = made_scene<Leaf>(2);
    explorer::Play play;
    play.parties.push_back([scene] {
        if (scene->p(0, 0))
            scene->v(0);
        scene->leave();
    });
    play.parties.push_back([scene] {
        if (killed == Killed::before)
            explorer::kill(0);
        scene->v(0);
        if (killed == Killed::after)
            explorer::kill(0);
        scene->got = scene->p(0, 1) ? 1 : 0;
        scene->leave();
    });
    add_policy_processes<Leaf>(play, scene);
    play.check = [scene] { return scene->got == 1 ? "" : "the other did not get it"; };
    return play;
}

// Three wait, each for a semaphore of its own, and one call wakes them all; the first to be woken, whom the
// last may follow, is killed before, after, or not at all. The others get theirs.
enum class Woken { all, all_but_the_first_killed_before, all_but_the_first_killed_after };

template <class Leaf, Woken woken>
explorer::Play all_are_woken_together()
{
    const auto scene = std::make_shared<Scene<Leaf>>(4, std::initializer_list<unsigned>{0, 0, 0});
    explorer::Play play;
    for (unsigned party = 0; party < 3; ++party)
        play.parties.push_back([scene, party] {
            if (scene->p(party, party) && party > 0)
                ++scene->got;
            scene->leave();
        });
    play.parties.push_back([scene] {
        if (woken == Woken::all_but_the_first_killed_before)
            explorer::kill(0);
        scene->v_all({0, 1, 2});
        if (woken == Woken::all_but_the_first_killed_after)
            explorer::kill(0);
        scene->leave();
    });
    add_policy_processes<Leaf>(play, scene);
    play.check = [scene] { return scene->got == 2 ? "" : "somebody did not get it"; };
    return play;
}

// Those that the kernel keeps: the steps of the others are the program's instructions.
template <class Use>
void for_each_kept(Use use)
{
    testing::for_each_leaf<SemaphoreLeaves>([&]<class Leaf>() {
        if constexpr (!std::same_as<Leaf, SpinSemaphore>) {
            INFO(std::string(Leaf::name));
            use.template operator()<Leaf>();
        }
    });
}

// Policy processes make many orders of few preemptions.
template <class Leaf>
explorer::Options orders(unsigned preemptions, unsigned beside_policy_processes)
{
    const bool alone = made_scene<Leaf>(1)->policy_processes() == 0;
    return {.preemptions = alone ? preemptions : beside_policy_processes};
}

} // namespace

TEST_CASE("every P that a V comes for goes on, in any order of steps")
{
    for_each_kept([]<class Leaf>() {
        CHECK(explorer::explore(orders<Leaf>(3, 1), all_wait<Leaf, 1>).failure == "");
        CHECK(explorer::explore(orders<Leaf>(2, 0), all_wait<Leaf, 2>).failure == "");
    });
}

TEST_CASE("a V that comes for a killed process goes to the next, in any order of steps")
{
    for_each_kept([]<class Leaf>() {
        const unsigned most = testing::briefly(3, 2);
        CHECK(explorer::explore(orders<Leaf>(most, 0), one_is_killed<Leaf, Killed::before>).failure == "");
        CHECK(explorer::explore(orders<Leaf>(most, 1), one_is_killed<Leaf, Killed::after>).failure == "");
    });
}

TEST_CASE("every P that a V of several comes for goes on, also when who was to wake it is killed")
{
    testing::for_each_leaf<SemaphoreLeaves>([]<class Leaf>() {
        // Policy processes would make too many orders, and wake one after the other as for single Vs.
        if constexpr (!std::same_as<Leaf, SpinSemaphore> && !messaging::HasArguments<Leaf>)
            if (made_scene<Leaf>(1)->policy_processes() == 0) {
                INFO(std::string(Leaf::name));
                using enum Woken;
                CHECK(explorer::explore({.preemptions = 0}, all_are_woken_together<Leaf, all>).failure == "");
                const bool combining = std::same_as<Leaf, CombiningSemaphore>; // the killed may lead others
                CHECK(explorer::explore({.preemptions = combining ? 1u : 0u},
                                        all_are_woken_together<Leaf, all_but_the_first_killed_before>)
                          .failure == "");
                CHECK(explorer::explore({.preemptions = 0},
                                        all_are_woken_together<Leaf, all_but_the_first_killed_after>)
                          .failure == "");
            }
    });
}
