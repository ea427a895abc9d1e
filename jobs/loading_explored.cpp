// SPDX-License-Identifier: MIT
// Programs that are loaded, killed and end at the same time: in every order of steps a kill meets the program
// that it was meant for, whoever waits goes on, and of what cannot be used nothing stays.
#include "jobs/loading.hpp"
#include "kernel/job/program_end.hpp"
#include "messaging/directory.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::jobs;

namespace {

constexpr unsigned nodes = 2, host = 4, endpoints = 5;

// Two nodes with two processes each, and a host that runs. Its memory for programs is what a maker counts,
// and the directory says where messages go.
struct Scene {
    Roster::ProgramEntry entries[endpoints];
    Roster roster{{.nodes = nodes, .pids = 2, .host = true}, entries};
    messaging::Directory directory{nodes, 2, true};
    sched::PendingWork pending_work[endpoints];
    Atomic<bool> job_ends{false};
    explorer::Noted<int> made[endpoints];
    explorer::Noted<unsigned> most = nodes; // programs that there is memory for
    explorer::Noted<bool> refused = false;
    explorer::Noted<unsigned> unnamed = endpoints; // the directory has no pid for the program there

    Scene()
    {
        for (unsigned i = 0; i < endpoints; ++i)
            made[i] = 0;
        const LockGuard guard(roster.lock());
        roster.begin(host);
    }

    // As jobs::load() wants it.
    Result<void> make(unsigned endpoint)
    {
        explorer::step();
        if (most == 0)
            return std::unexpected(Error::no_memory);
        most = most - 1;
        ++made[endpoint];
        return {};
    }
    Result<void> open(unsigned endpoint)
    {
        explorer::step();
        if (unnamed == endpoint)
            return std::unexpected(Error::pid_in_use);
        return directory.rename(endpoint, roster.pid_of(endpoint));
    }
    // As Cube::set_pid does.
    Result<void> set_pid(unsigned endpoint, int pid)
    {
        const LockGuard guard(roster.lock());
        TRY_VOID(roster.check_pid(endpoint, pid));
        TRY_VOID(directory.rename(endpoint, pid));
        return roster.set_pid(endpoint, pid);
    }
    void take_back(unsigned endpoint)
    {
        explorer::step();
        most = most + made[endpoint];
        made[endpoint] = 0;
    }

    void give_back(unsigned owner) { jobs::give_back(roster, owner, *this); }

    // The host, or a program that loads others.
    void load_and_start(unsigned loader, Selection where)
    {
        refused = !jobs::load(roster, loader, where, *this);
        const LockGuard guard(roster.lock());
        roster.start(where, [](unsigned) { });
    }
    bool ends_wait(unsigned waiter)
    {
        const LockGuard guard(roster.lock());
        const Result<Ended> checked = roster.check_wait(waiter);
        return checked || checked.error() != Error::would_block;
    }
    // As in the kernel: who waits sleeps as long as its epoch is odd.
    void wait(unsigned waiter, const WaitForEnds& wait)
    {
        {
            const LockGuard guard(roster.lock());
            (void)roster.wait(waiter, wait);
        }
        while (!ends_wait(waiter))
            while (roster.epoch(waiter) % 2 == 1)
                arch::pause();
    }
    void kill(unsigned killer, Selection whom)
    {
        bool itself = false;
        {
            const LockGuard guard(roster.lock());
            itself = roster
                         .kill(killer, whom, false,
                               [this](unsigned endpoint) { pending_work[endpoint].set_killed(true); })
                         .value();
        }
        give_back(killer);
        wait(killer, {WaitForEnds::For::killed, whom});
        if (itself)
            pending_work[killer].set_killed(true);
    }
    // The program of that entry ends by itself, or when it is killed.
    void end(unsigned endpoint)
    {
        {
            const LockGuard guard(roster.lock());
            most = most + made[endpoint];
            made[endpoint] = 0;
            (void)kernel::end_program(roster, endpoint, 3, pending_work[endpoint], job_ends);
        }
        give_back(endpoint);
    }
    void await_start(unsigned endpoint)
    {
        while (!roster.runs(endpoint))
            arch::pause();
    }
    void run_until_killed(unsigned endpoint)
    {
        while (!pending_work[endpoint].killed())
            arch::pause();
        end(endpoint);
    }
    // Before the play.
    void run(unsigned endpoint)
    {
        most = most - 1;
        ++made[endpoint];
        const LockGuard guard(roster.lock());
        roster.begin(endpoint);
    }

    // "" when nothing but what should run does.
    std::string rest(std::initializer_list<Standing> wanted)
    {
        unsigned endpoint = 0;
        unsigned running = 1;
        for (const Standing standing : wanted) {
            if (roster.standing(endpoint) != standing)
                return "entry " + std::to_string(endpoint) + " stands at " +
                       std::to_string(static_cast<int>(roster.standing(endpoint)));
            if (pending_work[endpoint].killed())
                return "entry " + std::to_string(endpoint) + " is still to be killed";
            const bool runs = standing == Standing::running || standing == Standing::placed;
            if ((made[endpoint] == 1) != runs)
                return "what was made for entry " + std::to_string(endpoint) + " is not what runs";
            running += standing == Standing::running ? 1 : 0;
            ++endpoint;
        }
        const LockGuard guard(roster.lock());
        if (roster.running() != running)
            return "the count of those that run is wrong";
        if (roster.somebody_waits())
            return "somebody waits";
        return roster.next_returning(host, 0) ? "something is not given back" : "";
    }
};

using enum Standing;

// A program ends while the host waits for that, loads the next one and kills it.
explorer::Play a_kill_of_the_next_program()
{
    auto scene = std::make_shared<Scene>();
    scene->run(0);
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->end(0);
        scene->await_start(0);
        scene->run_until_killed(0);
    });
    play.parties.push_back([scene] {
        scene->wait(host, {WaitForEnds::For::all, {0, 0}});
        scene->load_and_start(host, {0, 0});
        scene->kill(host, {0, 0});
    });
    play.check = [scene] { return scene->rest({empty, empty, empty, empty}); };
    return play;
}

explorer::Play a_kill_of_a_program_that_ends()
{
    auto scene = std::make_shared<Scene>();
    scene->run(0);
    explorer::Play play;
    play.parties.push_back([scene] { scene->end(0); });
    play.parties.push_back([scene] { scene->kill(host, {0, 0}); });
    play.check = [scene] { return scene->rest({empty, empty, empty, empty}); };
    return play;
}

explorer::Play a_kill_while_the_job_ends()
{
    auto scene = std::make_shared<Scene>();
    scene->run(0);
    explorer::Play play;
    play.parties.push_back([scene] { scene->run_until_killed(0); });
    play.parties.push_back([scene] { scene->kill(host, {0, 0}); });
    play.parties.push_back([scene] { scene->job_ends.store(true), scene->pending_work[0].set_killed(true); });
    play.check = [scene]() -> std::string {
        return scene->pending_work[0].killed() ? "" : "the end of the job passed the entry by";
    };
    return play;
}

// There is memory for one program of two: another process sees neither run at any time.
explorer::Play a_load_that_fails_on_its_second_node()
{
    auto scene = std::make_shared<Scene>();
    scene->run(2);
    explorer::Play play;
    play.parties.push_back([scene] { scene->load_and_start(host, {-1, 0}); });
    play.parties.push_back([scene] { scene->kill(2, {0, 0}); });
    play.check = [scene]() -> std::string {
        return scene->refused ? scene->rest({empty, empty, running, empty}) : "it did not fail";
    };
    return play;
}

// A program of the same row kills what the host loads. Either that is taken back before it has begun, or it
// is told to end, or the kill came first.
explorer::Play a_kill_during_a_load()
{
    auto scene = std::make_shared<Scene>();
    scene->most = 3;
    scene->run(2);
    auto is_over = std::make_shared<Atomic<bool>>(false);
    explorer::Play play;
    play.parties.push_back([scene] { scene->load_and_start(host, {-1, 0}); });
    play.parties.push_back([scene, is_over] {
        scene->kill(2, {1, 0});
        is_over->store(true);
    });
    play.parties.push_back([scene, is_over] {
        while (!scene->pending_work[1].killed() && !is_over->load())
            arch::pause();
        if (scene->pending_work[1].killed())
            scene->end(1);
    });
    play.check = [scene]() -> std::string {
        return scene->roster.runs(1) ? scene->rest({running, running, running, empty})
                                     : scene->rest({running, empty, running, empty});
    };
    return play;
}

// A program that loads others ends by a kill, after each of its steps.
explorer::Play the_end_of_a_loader()
{
    auto scene = std::make_shared<Scene>();
    scene->most = 3;
    scene->run(2);
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->refused = !jobs::load(scene->roster, 2, {-1, 0}, *scene);
        scene->run_until_killed(2);
    });
    play.parties.push_back([scene] { scene->kill(host, {0, 1}); });
    play.check = [scene] { return scene->rest({empty, empty, empty, empty}); };
    return play;
}

// The first of those that are loaded has ended before the second can: whoever waits for all sees both run, or
// none of them.
explorer::Play an_end_before_all_have_begun()
{
    auto scene = std::make_shared<Scene>();
    scene->most = 3;
    scene->run(2);
    auto early = std::make_shared<explorer::Noted<bool>>(false);
    explorer::Play play;
    play.parties.push_back([scene] { scene->load_and_start(host, {-1, 0}); });
    play.parties.push_back([scene] {
        scene->await_start(0);
        scene->end(0);
    });
    play.parties.push_back([scene] {
        scene->await_start(1);
        scene->end(1);
    });
    play.parties.push_back([scene, early] {
        while (!scene->roster.runs(0) && scene->roster.standing(0) != ended)
            arch::pause();
        scene->wait(2, {WaitForEnds::For::all, {-1, 0}});
        *early = scene->roster.runs(0) || scene->roster.runs(1);
    });
    play.check = [scene, early]() -> std::string {
        return *early ? "waitall has not waited for all" : scene->rest({empty, empty, running, empty});
    };
    return play;
}

// The pid of the second program is refused when the first has its own: both are taken back.
explorer::Play a_load_whose_second_pid_is_refused()
{
    auto scene = std::make_shared<Scene>();
    scene->unnamed = 1;
    scene->run(2);
    scene->most = 2;
    explorer::Play play;
    play.parties.push_back([scene] { scene->load_and_start(host, {-1, 0}); });
    play.parties.push_back([scene] { scene->kill(2, {0, 0}); });
    play.check = [scene]() -> std::string {
        if (!scene->refused)
            return "it did not fail";
        const std::string wrong = scene->rest({empty, empty, running, empty});
        return wrong.empty() && scene->most != 2 ? "not all of the memory is back" : wrong;
    };
    return play;
}

// A program takes the pid that the host loads others with. One of them gets it, and messages to that pid find
// the program that has it.
explorer::Play a_pid_that_is_taken_during_a_load()
{
    auto scene = std::make_shared<Scene>();
    scene->most = 3;
    scene->run(2);
    explorer::Play play;
    play.parties.push_back([scene] { scene->load_and_start(host, {-1, 77}); });
    play.parties.push_back([scene] { (void)scene->set_pid(2, 77); });
    play.check = [scene]() -> std::string {
        const bool is_taken = scene->roster.pid_of(2) == 77;
        if (is_taken != scene->refused)
            return is_taken ? "two have the pid" : "the load fails, and nobody has the pid";
        const auto found = scene->directory.find(
            {.type = 0, .buffer = 0, .length = 0, .node = 0, .address = parley_address(77, 0)}, host);
        if (!found || found->first != (is_taken ? 2u : 0u))
            return "the pid finds another program";
        return is_taken ? scene->rest({empty, empty, running, empty})
                        : scene->rest({running, running, running, empty});
    };
    return play;
}

// Two loads of one row at the same time, of which one fails for want of memory: the row keeps its pid.
explorer::Play two_loads_of_one_row()
{
    auto scene = std::make_shared<Scene>();
    scene->run(3);
    scene->most = 1;
    explorer::Play play;
    play.parties.push_back([scene] { (void)jobs::load(scene->roster, host, {0, 77}, *scene); });
    play.parties.push_back([scene] { (void)jobs::load(scene->roster, 3, {1, 77}, *scene); });
    play.check = [scene]() -> std::string {
        for (const unsigned endpoint : {0u, 1u})
            if ((scene->roster.standing(endpoint) == placed) != (scene->roster.pid_of(endpoint) == 77))
                return "entry " + std::to_string(endpoint) + " has another pid than what is there";
        if (scene->made[0] + scene->made[1] != 1 || scene->most != 0)
            return "not one of them has got the memory";
        const LockGuard guard(scene->roster.lock());
        return scene->roster.load(host, {-1, 78}) ? "the row has lost its pid" : "";
    };
    return play;
}

// Two that each kill the other.
explorer::Play two_killers()
{
    auto scene = std::make_shared<Scene>();
    scene->run(0);
    scene->run(1);
    explorer::Play play;
    for (const unsigned killer : {0u, 1u})
        play.parties.push_back([scene, killer] {
            {
                const LockGuard guard(scene->roster.lock());
                (void)scene->roster.kill(
                    killer, {1 - static_cast<int>(killer), -1}, false,
                    [&](unsigned other) { scene->pending_work[other].set_killed(true); });
                (void)scene->roster.wait(killer,
                                         {WaitForEnds::For::killed, {1 - static_cast<int>(killer), -1}});
            }
            while (!scene->pending_work[killer].killed() && !scene->ends_wait(killer))
                arch::pause();
            scene->end(killer);
        });
    play.check = [scene]() -> std::string {
        return scene->roster.runs(0) || scene->roster.runs(1) ? "a killer is left" : "";
    };
    return play;
}

} // namespace

TEST_CASE("a kill meets the program that it was meant for in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_kill_of_the_next_program).failure == "");
    CHECK(explorer::explore({.preemptions = 3}, a_kill_of_a_program_that_ends).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_kill_while_the_job_ends).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, two_killers).failure == "");
}

TEST_CASE("a load that fails, is killed or loses its loader leaves nothing in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_load_that_fails_on_its_second_node).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_kill_during_a_load).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, the_end_of_a_loader).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_load_whose_second_pid_is_refused).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, two_loads_of_one_row).failure == "");
}

TEST_CASE("a pid means one program, whoever takes it during a load, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, a_pid_that_is_taken_during_a_load).failure == "");
}

TEST_CASE("waitall sees all of a load begin at once in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, an_end_before_all_have_begun).failure == "");
}
