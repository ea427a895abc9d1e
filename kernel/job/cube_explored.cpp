// SPDX-License-Identifier: MIT
// A job's programs as the kernel has them: processes that sleep until they have a program, a host that loads,
// awaits and kills them, in every order of steps. A party is a process or a processor; the sleeping is the
// kernel's own.
#include "kernel/job/cube.hpp"
#include "sched/processors_explored.hpp"
#include "testing/catch.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <string>

using namespace parley;
using namespace parley::kernel;
using jobs::WaitForEnds;

namespace {

constexpr unsigned nodes = 3, host = 3, helper = 4, endpoints = 5;
constexpr int status = 3; // that programs leave

using Counts = std::array<explorer::Noted<unsigned>, endpoints>;

// Three nodes, a host that runs from the start, and a delivery process.
struct Scene final : sched::ExploredProcessors, Cube::Machinery, Cube::Maker {
    explicit Scene(explorer::Play& made) : ExploredProcessors(made) { }

    jobs::Roster::ProgramEntry entries[endpoints];
    jobs::Roster roster{{.nodes = nodes, .pids = 1, .host = true}, entries};
    Cube cube{roster, *this, waits};
    sched::Process* process_of[endpoints] = {};
    Atomic<bool> ends{false};
    bool sees_the_end = true;
    Counts made, opened, ran, forgotten;
    std::array<explorer::Noted<int>, endpoints> names; // pids by which messages find the programs
    explorer::Noted<unsigned> most = nodes;            // programs that there is memory for
    explorer::Noted<unsigned> unnamed = endpoints;     // the message system has no pid for the program there
    explorer::Noted<unsigned> making = 0;              // programs
    explorer::Noted<bool> killed = false;              // what the host kills is gone
    explorer::Noted<const char*> fault = "";

    // ---- Cube::Machinery

    void stop(unsigned endpoint) override { kill(*process_of[endpoint]); }
    sched::PendingWork& pending_work(unsigned endpoint) override
    {
        return process_of[endpoint]->pending_work;
    }
    const Atomic<bool>& job_ends() const override { return ends; }
    bool helpers_see_the_end() const override { return sees_the_end; }
    void tell_kill(jobs::Selection, bool) override { }
    void take_back(unsigned endpoint) override
    {
        explorer::step();
        made[endpoint] = 0;
        ++most;
    }
    void forget_messages(unsigned endpoint) override { ++forgotten[endpoint]; }
    Result<void> set_pid(unsigned endpoint, int pid) override
    {
        if (pid >= PARLEY_MAX_PIDS)
            return std::unexpected(Error::bad_process);
        for (const auto& name : names)
            if (pid != 0 && name == pid)
                return std::unexpected(Error::pid_in_use);
        explorer::step();
        names[endpoint] = pid;
        return {};
    }
    void give_way() override { arch::pause(); }

    // ---- Cube::Maker

    Result<void> make(unsigned endpoint) override
    {
        if (++making != 1)
            fault = "two programs are made at once";
        explorer::step();
        --making;
        if (most == 0)
            return std::unexpected(Error::no_memory);
        --most;
        made[endpoint] = 1;
        return {};
    }
    Result<void> open(unsigned endpoint) override
    {
        if (unnamed == endpoint)
            return std::unexpected(Error::pid_in_use);
        ++opened[endpoint];
        return {};
    }

    // ---- processes

    void expect(bool truth, const char* otherwise)
    {
        if (!truth)
            fault = otherwise;
    }
    void leave(unsigned endpoint)
    {
        made[endpoint] = 0;
        ++most;
        cube.leave(endpoint, status);
    }
    // A node's process, whose programs do that; as a process of the kernel lives (UserProcess::live).
    void add_node(unsigned endpoint, std::function<void()> program)
    {
        process_of[endpoint] = &add_process([this, endpoint, program] {
            for (;;) {
                const bool has_program = cube.await_program(endpoint);
                if (!has_program && !roster.runs(endpoint))
                    return;
                if (has_program) { // else it is killed before its first instruction
                    expect(made[endpoint] == 1, "a program runs that was not made");
                    ++ran[endpoint];
                    program();
                }
                leave(endpoint);
            }
        });
    }
    // Its program begins with the job.
    void add_host(std::function<void()> program)
    {
        process_of[host] = &add_process([this, program] {
            cube.begin(host);
            expect(cube.await_program(host), "the host has no program");
            program();
            leave(host);
        });
    }
    // In its program until it is to end.
    void run_until_killed(unsigned endpoint)
    {
        const sched::WaitKey nobody_wakes{64 * (endpoint + 1), 1};
        while (waits.block(nobody_wakes, [] { return true; }))
            fault = "somebody has woken a program that sleeps";
    }
    static unsigned sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0u); }
    std::string verdict() const
    {
        if (std::string wrong = static_cast<const char*>(fault); !wrong.empty())
            return wrong;
        const jobs::Standing standing = roster.standing(0);
        if (standing != jobs::Standing::empty && standing != jobs::Standing::ended)
            return "a program has not ended";
        return ExploredProcessors::verdict(parties);
    }
};

template <class Fill>
explorer::Play play_of(Fill fill, std::function<std::string(const Scene&)> check)
{
    explorer::Play play;
    play.may_wait = true; // processors are idle in the end
    auto scene = std::make_shared<Scene>(play);
    fill(*scene);
    play.check = [scene, check] {
        const std::string wrong = scene->verdict();
        return wrong.empty() ? check(*scene) : wrong;
    };
    return play;
}

// The host awaits all that it has loaded; then no program runs, and the processes end.
explorer::Play a_load_and_a_wait(unsigned processors, unsigned wanted)
{
    return play_of(
        [processors, wanted](Scene& scene) {
            for (unsigned i = 0; i < processors; ++i)
                scene.add_processor();
            for (unsigned node = 0; node < wanted; ++node)
                scene.add_node(node, [] { });
            scene.add_host([&scene, wanted] {
                const jobs::Selection all{wanted == nodes ? -1 : 0, 0};
                scene.expect(scene.cube.load(host, all, scene) == 0u, "the load fails");
                scene.cube.start(all);
                scene.expect(scene.cube.wait(host, {WaitForEnds::For::all, all}).has_value(),
                             "no end is found");
                scene.expect(scene.sum(scene.ran) == wanted, "the wait is over too early");
            });
        },
        [wanted](const Scene& scene) -> std::string {
            return scene.sum(scene.opened) == wanted ? "" : "messages do not come to a program";
        });
}

// The host kills what it has started, which may not even have begun, and loads the next.
explorer::Play a_kill(messaging::Waiting messages)
{
    return play_of(
        [messages](Scene& scene) {
            scene.add_processor();
            scene.add_node(0, [&scene] {
                if (!scene.killed)
                    scene.run_until_killed(0);
            });
            scene.add_host([&scene, messages] {
                (void)scene.cube.load(host, {0, 0}, scene);
                scene.cube.start({0, 0});
                scene.expect(scene.cube.kill(host, {0, 0}, messages).has_value(), "the kill fails");
                scene.killed = true;
                scene.expect(scene.cube.load(host, {0, 0}, scene) == 0u, "the entry is not free");
                scene.cube.start({0, 0});
            });
        },
        [messages](const Scene& scene) -> std::string {
            if (scene.ran[0] == 0)
                return "the kill met the next program";
            const unsigned wanted = messages == messaging::Waiting::dropped ? 1 : 0;
            return scene.forgotten[0] == wanted ? ""
                                                : "messages for the killed stay, or not, against the call";
        });
}

// A program kills all of its node, and so itself.
explorer::Play a_program_that_kills_itself()
{
    return play_of(
        [](Scene& scene) {
            scene.add_processor();
            scene.add_node(0, [&scene] {
                scene.expect(scene.cube.kill(0, {0, -1}, messaging::Waiting::kept).has_value(), "it may not");
                scene.run_until_killed(0);
            });
            scene.add_host([&scene] {
                (void)scene.cube.load(host, {0, 0}, scene);
                scene.cube.start({0, 0});
            });
        },
        [](const Scene&) { return ""; });
}

// There is memory for one program of three: none of them runs, and it is there for the next load.
explorer::Play a_load_that_fails()
{
    return play_of(
        [](Scene& scene) {
            scene.most = 1;
            scene.add_processor();
            for (const unsigned node : {0u, 1u})
                scene.add_node(node, [] { });
            scene.add_host([&scene] {
                const Result<unsigned> all = scene.cube.load(host, {-1, 0}, scene);
                scene.expect(!all && all.error() == Error::no_memory, "it says nothing of the memory");
                scene.cube.start({-1, 0});
                scene.expect(scene.cube.load(host, {1, 0}, scene) == 1u, "what was made is not taken back");
                scene.cube.start({1, 0});
            });
        },
        [](const Scene& scene) -> std::string {
            return scene.ran[0] == 0 && scene.ran[1] == 1 ? "" : "a program of a load that failed runs";
        });
}

// The message system refuses the pid of the second of three: all three were made, and none of them runs.
explorer::Play a_load_without_a_pid()
{
    return play_of(
        [](Scene& scene) {
            scene.unnamed = 1;
            scene.add_processor();
            for (const unsigned node : {0u, 1u})
                scene.add_node(node, [] { });
            scene.add_host([&scene] {
                const Result<unsigned> all = scene.cube.load(host, {-1, 0}, scene);
                scene.expect(!all && all.error() == Error::pid_in_use, "it says nothing of the pid");
                scene.cube.start({-1, 0});
                scene.expect(scene.sum(scene.made) == 0, "what was made is not taken back");
                scene.unnamed = endpoints;
                scene.expect(scene.cube.load(host, {1, 0}, scene) == 1u, "the place is not free");
                scene.cube.start({1, 0});
            });
        },
        [](const Scene& scene) -> std::string {
            return scene.ran[0] == 0 && scene.ran[1] == 1 ? "" : "a program of a load that failed runs";
        });
}

// A program and the host load at the same time: one after the other.
explorer::Play two_loads()
{
    return play_of(
        [](Scene& scene) {
            scene.add_processor();
            scene.add_processor();
            scene.add_node(0, [&scene] { (void)scene.cube.load(0, {1, 0}, scene); });
            scene.add_host([&scene] {
                (void)scene.cube.load(host, {0, 0}, scene);
                scene.cube.start({0, 0});
                (void)scene.cube.load(host, {2, 0}, scene);
            });
        },
        [](const Scene& scene) -> std::string {
            return scene.most == nodes + 1 ? "" : "what was loaded and never started is not taken back";
        });
}

// A handler of a host that waits for a program becomes due: it waits no longer.
explorer::Play a_handler_of_a_waiting_host()
{
    return play_of(
        [](Scene& scene) {
            scene.add_processor();
            scene.add_host([&scene] {
                scene.cube.begin(0);
                const Result<jobs::Ended> ended = scene.cube.wait(host, {WaitForEnds::For::all, {0, 0}});
                scene.expect(!ended && ended.error() == Error::interrupted, "it does not look up");
                scene.leave(0);
            });
            scene.process_of[0] = scene.process_of[host]; // it has none of its own
            scene.add_somebody([&scene] {
                scene.process_of[host]->pending_work.set_interrupted(true);
                scene.cube.look_again(host);
            });
        },
        [](const Scene&) { return ""; });
}

// A delivery process that does not see the end by itself is stopped when no program runs any more.
explorer::Play a_helper_at_the_end(bool sees_the_end)
{
    return play_of(
        [sees_the_end](Scene& scene) {
            scene.sees_the_end = sees_the_end;
            scene.add_processor();
            scene.process_of[helper] = &scene.add_process([&scene, sees_the_end] {
                (void)scene.cube.await_program(helper);
                scene.expect(scene.roster.runs(helper), "it does not begin");
                if (!sees_the_end)
                    scene.run_until_killed(helper);
            });
            scene.add_host([&scene] { scene.cube.begin(helper); });
        },
        [sees_the_end](const Scene& scene) -> std::string {
            return scene.process_of[helper]->pending_work.killed() != sees_the_end ? ""
                                                                                   : "it is stopped wrongly";
        });
}

} // namespace

TEST_CASE("what a host has loaded runs once, and the host finds its end, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, [] { return a_load_and_a_wait(1, 1); }).failure == "");
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, [] { return a_load_and_a_wait(1, nodes); }).failure == "");
    CHECK(explorer::explore(options, [] { return a_load_and_a_wait(2, 1); }).failure == "");
}

TEST_CASE("a kill meets the program that runs and no other, in any order of steps")
{
    for (const messaging::Waiting messages : {messaging::Waiting::kept, messaging::Waiting::dropped})
        CHECK(explorer::explore({.preemptions = 2}, [&] { return a_kill(messages); }).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_program_that_kills_itself).failure == "");
}

TEST_CASE("of a load that fails nothing runs and nothing stays, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_load_that_fails).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_load_without_a_pid).failure == "");
}

TEST_CASE("loads come one after the other, and what nobody starts is taken back, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, two_loads).failure == "");
}

TEST_CASE("a process that waits for ends looks up for its handler, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_handler_of_a_waiting_host).failure == "");
}

TEST_CASE("a helper is stopped with the last program, unless it sees that by itself")
{
    CHECK(explorer::explore({.preemptions = 2}, [] { return a_helper_at_the_end(false); }).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, [] { return a_helper_at_the_end(true); }).failure == "");
}

TEST_CASE("only programs of a job with a host are followed by others in their process")
{
    explorer::Play play;
    Scene scene(play);
    CHECK(scene.cube.keeps(0));
    CHECK(scene.cube.keeps(host));
    CHECK_FALSE(scene.cube.keeps(helper));
    jobs::Roster::ProgramEntry entry;
    jobs::Roster alone({.nodes = 1, .pids = 1, .host = false}, {&entry, 1});
    CHECK_FALSE(Cube(alone, scene, scene.waits).keeps(0));
}

// One program takes another pid, and a second one the pid that the first has had.
explorer::Play a_trade_of_pids()
{
    explorer::Play play;
    auto scene = std::make_shared<Scene>(play);
    (void)scene->cube.set_pid(0, 5);
    play.parties.push_back([scene] { (void)scene->cube.set_pid(0, 7); });
    play.parties.push_back([scene] { (void)scene->cube.set_pid(1, 5); });
    play.parties.push_back([scene] {
        const LockGuard guard(scene->roster.lock());
        scene->expect(scene->roster.pid_of(0) != scene->roster.pid_of(1), "two programs have one pid");
    });
    play.check = [scene]() -> std::string {
        if (scene->roster.pid_of(0) != scene->names[0] || scene->roster.pid_of(1) != scene->names[1])
            return "the roster has another pid than the message system";
        return static_cast<const char*>(scene->fault);
    };
    return play;
}

TEST_CASE("a program gets the pid of another when that has another one everywhere")
{
    CHECK(explorer::explore({}, a_trade_of_pids).failure == "");
}

TEST_CASE("a pid that the message system refuses is not the roster's")
{
    explorer::Play play;
    Scene scene(play);
    CHECK(scene.cube.set_pid(0, PARLEY_MAX_PIDS).error() == Error::bad_process);
    CHECK(scene.roster.pid_of(0) == 0);
    CHECK(scene.cube.set_pid(0, 5).has_value());
    CHECK(scene.roster.pid_of(0) == 5);
}
