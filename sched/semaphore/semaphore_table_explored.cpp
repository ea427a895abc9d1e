// SPDX-License-Identifier: MIT
// The table of a job's semaphores, in every order of the steps of processes that open one, of some that use
// it without that, and of who asks whether they wait.
#include "kernel/program/host_arena.hpp"
#include "sched/semaphore/kernel.hpp"
#include "sched/semaphore/semaphore_table.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::sched;

namespace {

constexpr unsigned job = 3, number = 7;

struct Scene {
    class Clock final : public SemaphoreClock {
    public:
        std::uint64_t nanoseconds() override { return 0; }
        bool sleep_until(std::uint64_t, const Atomic<bool>&) override { return true; }
    } clock;
    CountedStore store;
    SemaphoreCounts counts;
    KernelSemaphore kind{{clock, store, counts}};
    kernel::testing::HostArena arena;
    SemaphoreTable table{arena, job, 2, counts};
    unsigned made = 0; // guarded by the table's lock
    explorer::Noted<unsigned> opened = 0, got = 0, vs = 0;
    explorer::Noted<bool> told_wrongly = false;
    explorer::Noted<bool> counted_late = false;

    Scene() { table.use(kind); }
    void open()
    {
        const Result<long> id = table.open(number, 0, [this](unsigned) {
            ++made;
            return Result<void>{};
        });
        opened += id && *id == this->id() ? 1 : 0;
    }
    static long id() { return PARLEY_SEMAPHORE_ID(job, number); }
};

// It is made once, whoever comes first, and one that never opened it finds all of it.
explorer::Play two_open_one_and_a_third_uses_it()
{
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->open();
        scene->got += scene->table.p(0, scene->id()) ? 1 : 0;
    });
    play.parties.push_back([scene] { scene->open(); });
    play.parties.push_back([scene] {
        while (++scene->vs, !scene->table.v(scene->id()))
            explorer::spin();
    });
    play.check = [scene]() -> std::string {
        constexpr std::size_t once = 2 * sizeof(SemaphoreWaiter) + sizeof(Counter);
        if (scene->opened != 2 || scene->made != 1 || scene->arena.used != once)
            return "it is not made once";
        if (scene->counts.now().calls != 1 + scene->vs)
            return "a call is not counted";
        return scene->got == 1 ? "" : "a V does not come";
    };
    return play;
}

// Who asks hears of no wait but the one, and of that as long as no V has come.
explorer::Play one_asks_whether_another_waits()
{
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->open();
        scene->got += scene->table.p(1, scene->id()) ? 1 : 0;
        const parley_semaphore_counts counts = scene->counts.now();
        if (counts.calls != 2 || counts.waits != 1 || counts.wakes != 1)
            scene->counted_late = true;
    });
    play.parties.push_back([scene] {
        SemaphoreWaiter::WaitInP wait{};
        while (!scene->table.waits(1, wait))
            explorer::spin();
        scene->told_wrongly = wait.semaphore != number || wait.ticket != 1;
        if (scene->counts.now().calls != 1)
            scene->counted_late = true;
        (void)scene->table.v(scene->id());
        scene->told_wrongly = scene->told_wrongly || scene->table.waits(1, wait);
    });
    play.check = [scene]() -> std::string {
        if (scene->told_wrongly)
            return "a wait is told that is none";
        if (scene->counted_late)
            return "a call is counted when it is over";
        return scene->got == 1 ? "" : "the process does not go on";
    };
    return play;
}

} // namespace

TEST_CASE("a semaphore is made once and found whole in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, two_open_one_and_a_third_uses_it).failure == "");
}

TEST_CASE("who asks is told of a wait in P from its begin to its V in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, one_asks_whether_another_waits).failure == "");
}

TEST_CASE("a wait that a V has come for is told no more, though its process has not gone on yet")
{
    SemaphoreWaiter waiter{0};
    SemaphoreWaiter::WaitInP wait{};
    CHECK_FALSE(waiter.waits(wait));
    waiter.begin(number);
    CHECK(waiter.waits(wait));
    waiter.leave_queue();
    CHECK_FALSE(waiter.waits(wait));
}
