// SPDX-License-Identifier: MIT
// The policy module, in every order of the steps of a process whose wait is given up while it is served, of
// the V that was meant for that wait, of the next wait in the same place, and of the policy processes.
#include "sched/semaphore/policy_module.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::sched;

namespace {

// How a wait's pages come to be written: at once by way of a process that communicates first, at once, or
// after a time.
enum class Way { communicated, at_once, later };

constexpr std::string_view name_of(Way way)
{
    return way == Way::communicated ? "communicated" : way == Way::at_once ? "at once" : "later";
}

// The time of day comes when somebody sleeps until then.
class ExploredClock final : public SemaphoreClock {
public:
    std::uint64_t nanoseconds() override { return now_; }
    bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>&) override
    {
        explorer::step();
        now_ = nanoseconds;
        return true;
    }

private:
    explorer::Noted<std::uint64_t> now_ = 0;
};

// The pages of the process in one place. Whoever writes or reads them is interrupted in the middle.
class MovedPages final : public BackingStore {
public:
    unsigned write_back(unsigned) override { return move(true); }
    unsigned bring_back(unsigned) override { return move(false); }
    // Another process has the place, whose pages are all there.
    void renew()
    {
        away_ = false;
        ++process_;
    }

    void await_move() const
    {
        while (moves_ == 0)
            explorer::sleep(this);
    }

    // Moves that have begun go on only then, as those of a slow disk.
    void hold_up() { held_up_ = true; }
    void let_go()
    {
        held_up_ = false;
        explorer::wake(&held_up_, ~0u);
    }

    bool are_away() const { return away_; }
    bool moved_twice_at_once() const { return moved_twice_at_once_; }

private:
    unsigned move(bool away)
    {
        const unsigned moved = process_;
        moved_twice_at_once_ = moved_twice_at_once_ || moving_;
        moving_ = true;
        ++moves_;
        explorer::wake(this, 1);
        explorer::step();
        while (held_up_)
            explorer::sleep(&held_up_);
        moving_ = false;
        if (moved == process_)
            away_ = away;
        return 1;
    }

    explorer::Noted<unsigned> process_ = 0;
    explorer::Noted<bool> away_ = false;
    explorer::Noted<bool> moving_ = false;
    explorer::Noted<unsigned> moves_ = 0; // that have begun
    explorer::Noted<bool> held_up_ = false;
    explorer::Noted<bool> moved_twice_at_once_ = false;
};

struct Scene {
    explicit Scene(Way chosen)
        : way(chosen), module({clock, pages, counts}, way == Way::communicated ? PolicyModule::communication
                                                                               : PolicyModule::scheduling)
    {
    }

    // As P has it: V cannot know of the wait before the module does.
    WaitTicket begin_wait()
    {
        const WaitTicket ticket = waiter.begin(0);
        way == Way::later ? module.suspend_later(waiter, ticket, 1) : module.suspend(waiter, ticket);
        begun = ticket;
        explorer::publish(&begun); // V knows of it by the counter
        explorer::wake(&begun, 1);
        return ticket;
    }
    // As P has it for a process that was killed.
    void give_up(WaitTicket ticket)
    {
        module.forget(waiter);
        waiter.end(ticket);
        pages.renew();
    }
    void await_wait(WaitTicket ticket)
    {
        while (begun < ticket)
            explorer::sleep(&begun);
        explorer::collect(&begun);
    }
    void wake(WaitTicket ticket)
    {
        await_wait(ticket);
        meant = ticket;
        module.wake(waiter, ticket);
    }
    void add_policy_processes(explorer::Play& play, const std::shared_ptr<Scene>& self, unsigned schedulers)
    {
        for (unsigned scheduler = 0; scheduler < schedulers; ++scheduler)
            play.parties.push_back([self] { self->module.serve(PolicyModule::scheduling); });
        if (way == Way::communicated)
            play.parties.push_back([self] { self->module.serve(PolicyModule::communication); });
        if (way == Way::later)
            play.parties.push_back([self] { self->module.watch_the_time(); });
    }

    const Way way;
    ExploredClock clock;
    MovedPages pages;
    SemaphoreCounts counts;
    PolicyModule module;
    SemaphoreWaiter waiter{0};
    explorer::Noted<WaitTicket> begun = 0;
    explorer::Noted<WaitTicket> meant = 0; // by the last V
    bool went_on = false;
    bool is_counted = true;
};

constexpr WaitTicket first = 1, second = 3; // of a process's waits

std::string verdict(const Scene& scene)
{
    if (scene.pages.moved_twice_at_once())
        return "two policy processes serve one process at once";
    if (!scene.went_on)
        return "the process went on without its V, or not at all";
    if (!scene.is_counted)
        return "what was done for a wait is counted when that is over";
    return scene.pages.are_away() ? "the process went on without its pages" : "";
}

// A V for each of two waits, of which the first has been given up: only its own V ends the second.
explorer::Play a_wait_after_one_that_was_given_up(Way way)
{
    const auto scene = std::make_shared<Scene>(way);
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->give_up(scene->begin_wait());
        (void)scene->waiter.sleep(scene->begin_wait());
        scene->went_on = scene->meant == second;
        scene->module.close();
    });
    play.parties.push_back([scene] {
        scene->wake(first);
        scene->wake(second);
    });
    scene->add_policy_processes(play, scene, 1);
    play.check = [scene] { return verdict(*scene); };
    return play;
}

// The first is given up while a policy process moves its pages.
explorer::Play a_wait_after_one_that_was_given_up_in_service(Way way)
{
    const auto scene = std::make_shared<Scene>(way);
    scene->pages.hold_up();
    explorer::Play play;
    play.parties.push_back([scene] {
        const WaitTicket given_up = scene->begin_wait();
        scene->pages.await_move();
        scene->give_up(given_up);
        const WaitTicket ticket = scene->begin_wait();
        scene->pages.let_go();
        (void)scene->waiter.sleep(ticket);
        scene->went_on = scene->meant == second;
        scene->module.close();
    });
    play.parties.push_back([scene] { scene->wake(second); });
    scene->add_policy_processes(play, scene, 2);
    play.check = [scene] { return verdict(*scene); };
    return play;
}

// Nobody calls V for the second wait: its pages are written all the same.
explorer::Play a_wait_that_nobody_ends(Way way)
{
    const auto scene = std::make_shared<Scene>(way);
    explorer::Play play;
    play.may_wait = true;
    play.parties.push_back([scene] {
        scene->give_up(scene->begin_wait());
        (void)scene->waiter.sleep(scene->begin_wait());
        scene->went_on = true;
    });
    play.parties.push_back([scene] { scene->wake(first); });
    scene->add_policy_processes(play, scene, 1);
    play.check = [scene]() -> std::string {
        if (scene->went_on)
            return "a V for a wait that was given up ended the next";
        return scene->pages.are_away() ? "" : "a wait was forgotten: its pages stay";
    };
    return play;
}

// V comes at any step of what the policy processes do for the wait.
explorer::Play a_wait_and_its_v(Way way, unsigned schedulers)
{
    const auto scene = std::make_shared<Scene>(way);
    explorer::Play play;
    play.parties.push_back([scene] {
        (void)scene->waiter.sleep(scene->begin_wait());
        const parley_semaphore_counts counts = scene->counts.now();
        scene->is_counted = counts.in_time + counts.page_reads == 1;
        scene->went_on = scene->meant == first;
        scene->module.close();
    });
    play.parties.push_back([scene] { scene->wake(first); });
    scene->add_policy_processes(play, scene, schedulers);
    play.check = [scene] { return verdict(*scene); };
    return play;
}

// As its job's last process ends: its policy processes end, too.
explorer::Play it_is_closed_as_a_wait_begins(Way way)
{
    const auto scene = std::make_shared<Scene>(way);
    explorer::Play play;
    play.parties.push_back([scene] { (void)scene->begin_wait(); });
    play.parties.push_back([scene] { scene->module.close(); });
    scene->add_policy_processes(play, scene, 1);
    play.check = [] { return std::string(); };
    return play;
}

// The pages of two processes. A move of one's goes on only once one of the other's has begun, too.
class PagesMovedTogether final : public BackingStore {
public:
    unsigned write_back(unsigned) override { return move(writes_); }
    unsigned bring_back(unsigned) override { return move(reads_); }
    void await_writes() const { await(writes_, both_have_ended); }

private:
    // Two moves are two steps each: one as it begins, one as it ends.
    enum Steps : unsigned { both_have_begun = 2, both_have_ended = 4 };

    unsigned move(explorer::Noted<unsigned>& steps)
    {
        step(steps);
        await(steps, both_have_begun);
        step(steps);
        return 1;
    }
    void step(explorer::Noted<unsigned>& steps)
    {
        ++steps;
        explorer::wake(this, ~0u);
    }
    void await(const explorer::Noted<unsigned>& steps, unsigned wanted) const
    {
        while (steps < wanted)
            explorer::sleep(this);
    }

    explorer::Noted<unsigned> writes_ = 0, reads_ = 0;
};

struct SceneOfTwo {
    ExploredClock clock;
    PagesMovedTogether pages;
    SemaphoreCounts counts;
    PolicyModule module{{clock, pages, counts}, PolicyModule::communication};
    SemaphoreWaiter waiters[2]{SemaphoreWaiter(0), SemaphoreWaiter(1)};
    WaitTicket tickets[2] = {};
};

// Two wait, and go on: of the two policy processes each must stop one of them, and start one.
explorer::Play both_stop_and_start()
{
    const auto scene = std::make_shared<SceneOfTwo>();
    explorer::Play play;
    play.parties.push_back([scene] {
        for (const unsigned process : {0u, 1u}) {
            SemaphoreWaiter& waiter = scene->waiters[process];
            scene->tickets[process] = waiter.begin(process);
            scene->module.suspend(waiter, scene->tickets[process]);
        }
        scene->pages.await_writes();
        for (const unsigned process : {0u, 1u})
            scene->module.wake(scene->waiters[process], scene->tickets[process]);
        for (const unsigned process : {0u, 1u})
            (void)scene->waiters[process].sleep(scene->tickets[process]);
        scene->module.close();
    });
    play.parties.push_back([scene] { scene->module.serve(PolicyModule::communication); });
    play.parties.push_back([scene] { scene->module.serve(PolicyModule::scheduling); });
    play.check = [] { return std::string(); };
    return play;
}

// The second bound is for the ways that have one more policy process, and so many more orders.
template <class MakePlay>
void check_ways(unsigned preemptions, unsigned beside_another, MakePlay make_play)
{
    for (const Way way : {Way::at_once, Way::communicated, Way::later}) {
        INFO(std::string(name_of(way)));
        const unsigned bound = way == Way::at_once ? preemptions : beside_another;
        CHECK(explorer::explore({.preemptions = bound}, [&] { return make_play(way); }).failure == "");
    }
}

} // namespace

TEST_CASE("a V for a wait that was given up does not end the next one in any order of steps")
{
    check_ways(2, 0, a_wait_after_one_that_was_given_up);
}

TEST_CASE("a wait that follows one that was given up is not forgotten in any order of steps")
{
    check_ways(2, 0, a_wait_that_nobody_ends);
}

TEST_CASE("policy processes end when their module is closed at any step")
{
    check_ways(2, 1, it_is_closed_as_a_wait_begins);
}

TEST_CASE("one policy process at a time serves a process in any order of steps")
{
    check_ways(2, 0, [](Way way) { return a_wait_and_its_v(way, 1); });
    check_ways(0, 0, [](Way way) { return a_wait_and_its_v(way, 2); });
    check_ways(0, 0, a_wait_after_one_that_was_given_up_in_service);
}

TEST_CASE("both policy processes stop and start processes in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, both_stop_and_start).failure == "");
}
