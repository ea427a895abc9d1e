// SPDX-License-Identifier: MIT
// The kernel's own queue of sleepers, in every order of the steps of processes that sleep, of the ticks that
// wake them, and of others that end their sleep before its time.
#include "kernel/process/timer_queue.hpp"
#include "sched/processors_explored.hpp"
#include "testing/catch.hpp"

using namespace parley;
using namespace parley::sched;
using parley::kernel::TimerQueue;

namespace {

struct Scene : ExploredProcessors {
    using ExploredProcessors::ExploredProcessors;

    TimerQueue timers{waits};
    Atomic<std::uint64_t> clock{0};
    Atomic<bool> over{false};
    explorer::Noted<bool> woke_early = false;
    explorer::Noted<bool> goes_on_killed = false;

    void tick(std::uint64_t now)
    {
        clock.store(now);
        timers.tick(now);
    }
    void sleep_until(std::uint64_t due)
    {
        if (timers.sleep_until(due))
            woke_early = woke_early || clock.load() < due;
    }
    std::string verdict(unsigned expected) const
    {
        if (woke_early)
            return "a process is woken before its time";
        if (goes_on_killed)
            return "a process that is killed goes on as if its time had come";
        return ExploredProcessors::verdict(expected);
    }
};

template <class Fill>
explorer::Play play_of(unsigned expected, Fill fill)
{
    explorer::Play play;
    play.may_wait = true; // the processor is idle in the end
    auto scene = std::make_shared<Scene>(play);
    scene->add_processor();
    fill(*scene);
    play.check = [scene, expected] { return scene->verdict(expected); };
    return play;
}

// A tick may miss who is about to enter the list; the next one finds it.
explorer::Play one_sleeps_and_two_ticks_come_behind_its_time()
{
    return play_of(2, [](Scene& scene) {
        scene.add_process([&scene] { scene.sleep_until(2); });
        scene.add_somebody([&scene] {
            for (const std::uint64_t now : {1, 2, 3})
                scene.tick(now);
        });
    });
}

explorer::Play two_sleep_until_different_times()
{
    return play_of(3, [](Scene& scene) {
        for (const std::uint64_t due : {1, 2})
            scene.add_process([&scene, due] { scene.sleep_until(due); });
        scene.add_somebody([&scene] {
            for (const std::uint64_t now : {1, 2, 3})
                scene.tick(now);
        });
    });
}

// No tick comes.
explorer::Play one_is_killed()
{
    return play_of(2, [](Scene& scene) {
        Process& victim = scene.add_process([&scene] { scene.goes_on_killed = scene.timers.sleep_until(9); });
        scene.add_somebody([&scene, &victim] { scene.kill(victim); });
    });
}

// It leaves the list while the tick goes through it.
explorer::Play one_is_killed_while_the_other_is_woken()
{
    return play_of(4, [](Scene& scene) {
        Process& victim = scene.add_process([&scene] { (void)scene.timers.sleep_until(1); });
        scene.add_process([&scene] { scene.sleep_until(1); });
        scene.add_somebody([&scene, &victim] { scene.kill(victim); });
        scene.add_somebody([&scene] {
            scene.tick(1);
            scene.tick(2);
        });
    });
}

explorer::Play a_sleep_is_over_before_its_time()
{
    return play_of(2, [](Scene& scene) {
        scene.add_process([&scene] { (void)scene.timers.sleep_until(9, scene.over); });
        scene.add_somebody([&scene] {
            scene.over.store(true, std::memory_order_release);
            scene.tick(1);
            scene.tick(2);
        });
    });
}

// It sleeps on another word meanwhile. Ticks go on until it has gone on.
explorer::Play an_alarm_ends_another_sleep()
{
    return play_of(2, [](Scene& scene) {
        scene.add_process([&scene] {
            const TimerQueue::Alarm alarm(scene.timers, 1);
            while (!alarm.rang())
                (void)scene.waits.block({64, 1}, [&scene] { return !scene.over.load(); });
            scene.over.store(true);
        });
        scene.add_somebody([&scene] {
            for (std::uint64_t now = 1; !scene.over.load(); ++now) {
                scene.tick(now);
                explorer::spin();
            }
        });
    });
}

} // namespace

TEST_CASE("who sleeps until a time wakes at a tick behind it, and not before, in any order of steps")
{
    for (const auto play :
         {one_sleeps_and_two_ticks_come_behind_its_time, one_is_killed, a_sleep_is_over_before_its_time})
        CHECK(explorer::explore({.preemptions = 2}, play).failure == "");
    const explorer::Options once{.preemptions = 1, .memory = explorer::Model::sequential};
    for (const auto play : {two_sleep_until_different_times, one_is_killed_while_the_other_is_woken})
        CHECK(explorer::explore(once, play).failure == "");
}

TEST_CASE("an alarm ends whatever its process sleeps on in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, an_alarm_ends_another_sleep).failure == "");
}
