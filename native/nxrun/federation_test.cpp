// SPDX-License-Identifier: MIT
// Federations of one and of two machines, whose connection is a queue in memory.
#include "interface/proxies.h"
#include "native/nxrun/first_machine.hpp"
#include "native/nxrun/other_machine.hpp"
#include "testing/catch.hpp"

#include <csignal>
#include <cstring>
#include <deque>
#include <memory>

using namespace parley;
using namespace parley::native;

namespace {

constexpr int exited(int status) { return status << 8; }

struct OnTheWay {
    unsigned from, to;
    Packet packet;
};

// A machine whose ranks and messages write down what happens to them.
struct Machine final : LocalRanks, LocalMessages, Post {
    Machine(const Spread& layout, std::deque<OnTheWay>& network, unsigned policy_processes)
        : here(layout.here), places(layout, layout.machines > 1 ? 1 : 0, policy_processes), network_(network),
          starts(places.size())
    {
    }

    std::expected<void, std::string> start(Place& place) override
    {
        log += "start " + std::to_string(place.endpoint) + " " + place.command.back() + "; ";
        if (!can_start)
            return std::unexpected("There is no room.");
        place.process = 1;
        return {};
    }
    void kill(Place& place, bool) override { log += "kill " + std::to_string(place.endpoint) + "; "; }
    void end(Place& place) override { log += "end " + std::to_string(place.endpoint) + "; "; }
    void end_all() override { log += "end all; "; }
    void answer(Place& place, unsigned number, long value, unsigned long) override
    {
        log += std::to_string(place.endpoint) + ":" + std::to_string(number) + " " + std::to_string(value) +
               "; ";
    }

    jobs::MachineState look() override { return state; }
    std::string report() const override { return "machine " + std::to_string(here) + " waits\n"; }
    const messaging::Unreceived& unreceived(unsigned endpoint) const override
    {
        return endpoint == left_by ? left : nothing_left;
    }
    bool all_are_closed() const override { return true; }
    Result<void> change(const Packet&) override
    {
        log += "change; ";
        return changes;
    }

    void send(unsigned machine, const Packet& packet, std::uint32_t) override
    {
        network_.push_back({here, machine, packet});
    }
    void finish() override { log += "finish; "; }

    // The process that has the network runs.
    void join()
    {
        places.back().process = 1;
        const LockGuard guard(places.roster().lock());
        places.roster().begin(places.back().endpoint);
    }
    // What has happened since the last question.
    std::string happened() { return std::exchange(log, {}); }

    const unsigned here;
    Places places;
    std::deque<OnTheWay>& network_;
    std::vector<parley_native_place> starts;
    std::string log;
    bool can_start = true;
    Result<void> changes{};
    jobs::MachineState state{
        .all_wait = false, .somebody_waits = false, .epochs = 0, .sent = 0, .received = 0};
    messaging::Unreceived left{}, nothing_left{};
    unsigned left_by = 1000;
    std::unique_ptr<Federation> federation;
};

// So many nodes on so many machines, one each.
struct Scene {
    explicit Scene(unsigned count, unsigned policy_processes = 0)
    {
        for (unsigned here = 0; here < count; ++here)
            machines.push_back(std::make_unique<Machine>(Spread{.nodes = 2, .machines = count, .here = here},
                                                         network, policy_processes));
        for (const auto& machine : machines) {
            if (count > 1)
                machine->join();
            const MachineParts parts{machine->places, *machine, *machine, *machine};
            if (machine->here == 0)
                machine->federation =
                    std::make_unique<FirstMachine>(parts, count, machine->starts.data(),
                                                   std::vector<std::string>{"program"}, record, traces);
            else
                machine->federation = std::make_unique<OtherMachine>(parts, machine->starts.data(),
                                                                     TraceSender(other_area, clock));
        }
        watch(area, memory);
        watch(other_area, other_memory);
    }
    void watch(TraceArea& one, std::vector<std::max_align_t>& where) const
    {
        where.resize(one.bytes() / sizeof(std::max_align_t) + 64);
        const auto at = reinterpret_cast<std::uintptr_t>(where.data());
        one.lie_at(reinterpret_cast<std::byte*>((at + 63) / 64 * 64));
    }

    Machine& first() { return *machines[0]; }
    Machine& other() { return *machines[1]; }
    // Packets arrive until none is on its way.
    void deliver()
    {
        for (; !network.empty(); network.pop_front())
            machines[network.front().to]->federation->receive(network.front().from, network.front().packet);
    }
    void begin()
    {
        for (const auto& machine : machines)
            machine->federation->begin();
        deliver();
    }
    // The rank of that endpoint ends, with its process.
    void end(unsigned endpoint, int status)
    {
        Machine& machine = *machines[machines.size() > 1 ? endpoint : 0];
        machine.places[endpoint].process = 0;
        machine.federation->ended(machine.places[endpoint], status, {});
        deliver();
    }
    void ask(unsigned endpoint, unsigned method, long first = 0)
    {
        parley_native_request request{};
        request.method = method;
        request.number = 7;
        request.words[0] = first;
        Machine& machine = *machines[machines.size() > 1 ? endpoint : 0];
        machine.federation->asked(machine.places[endpoint], request);
    }
    void look()
    {
        for (const auto& machine : machines)
            machine->federation->look();
        deliver();
    }
    void happened()
    {
        for (const auto& machine : machines)
            machine->happened();
    }
    std::string sentence()
    {
        for (const auto& machine : machines)
            if (machine->here == 0)
                machine->federation->complete(record);
        return record.sentence;
    }

    std::deque<OnTheWay> network;
    Record record;
    static constexpr JobClock clock{1'000'000'000, 0};
    TraceArea area{is_watched ? 3u : 0u, 8}, other_area{is_watched ? 3u : 0u, 8};
    std::vector<std::max_align_t> memory, other_memory;
    std::vector<std::unique_ptr<Machine>> machines;
    inline static bool is_watched = false;
    struct Posting final : Post {
        explicit Posting(Scene& scene) : scene_(scene) { }
        void send(unsigned machine, const Packet& packet, std::uint32_t) override
        {
            scene_.first().send(machine, packet, ControlHead::none);
        }
        void finish() override { }
        Scene& scene_;
    } posting{*this};
    TraceCollection traces{area, clock, 2, 2, posting, [](unsigned) { return ClockReadings{}; }};
};

const std::string no_such_call = "7 -" + std::to_string(static_cast<int>(Error::no_such_call)) + "; ";

} // namespace

TEST_CASE("a job on one machine is a federation of one, which sends nothing")
{
    Scene scene(1);
    scene.begin();
    CHECK(scene.first().happened() == "start 0 program; start 1 program; ");
    scene.ask(1, 63);
    CHECK(scene.first().happened() == "1:" + no_such_call);
    scene.ask(1, parley_method_job_set_pid, 0);
    CHECK(scene.first().happened() == "1:7 0; ");
    scene.end(1, exited(0));
    CHECK(scene.first().happened() == "");
    scene.end(0, exited(0));
    CHECK(scene.first().happened() == "finish; ");
    CHECK(scene.sentence() == "");
    CHECK(scene.record.processes.size() == 2);
    CHECK(scene.network.empty());
}

TEST_CASE("programs begin where they are, and all machines leave when the last has ended")
{
    Scene scene(2);
    scene.begin();
    CHECK(scene.first().happened() == "start 0 program; ");
    CHECK(scene.other().happened() == "start 1 program; ");
    CHECK(scene.first().places[1].process == elsewhere);
    scene.end(0, exited(0));
    CHECK(scene.first().happened() == "");
    scene.other().left_by = 1;
    scene.other().left.note({.kind = messaging::Unreceived::Kind::message, .type = 30, .bytes = 8});
    scene.end(1, exited(3));
    CHECK(scene.first().happened() == "finish; ");
    CHECK(scene.other().happened() == "finish; ");
    CHECK(scene.first().places[1].process == 0);
    CHECK(scene.sentence() == "The job failed: node 1 exited with status 3.");
    REQUIRE(scene.record.unreceived.size() == 1);
    CHECK(scene.record.unreceived[0].node == 1);
    CHECK_FALSE(scene.record.unreceived[0].what.empty());
}

TEST_CASE("a rank is answered where it is")
{
    Scene scene(2);
    scene.begin();
    scene.happened();
    scene.ask(1, 63);
    CHECK(scene.other().places[1].asked->number == 7);
    scene.deliver();
    CHECK(scene.other().happened() == "1:" + no_such_call);
    CHECK_FALSE(scene.other().places[1].asked);
    CHECK(scene.first().happened() == "");
}

TEST_CASE("policy processes end behind the last program, and one that ends before ends its job")
{
    Scene scene(1, 2);
    scene.begin();
    CHECK(scene.first().happened() == "start 0 program; start 1 program; start 2 program; start 3 program; ");
    scene.end(0, exited(0));
    CHECK(scene.first().happened() == "");
    SECTION("by itself")
    {
        scene.end(1, exited(0));
        CHECK(scene.first().happened() == "kill 2; kill 3; finish; ");
        scene.end(2, exited(0));
        scene.end(3, exited(0));
        CHECK(scene.sentence() == "");
    }
    SECTION("killed")
    {
        scene.end(3, SIGKILL);
        CHECK(scene.first().happened() == "end all; ");
        CHECK(scene.sentence() == "The job failed: policy process 1 was ended by signal 9 (Killed).");
    }
}

TEST_CASE("every machine makes a change before the rank that has asked for it is answered")
{
    Scene scene(2);
    scene.begin();
    scene.happened();
    SECTION("by a rank of the first machine")
    {
        scene.ask(0, parley_method_job_set_pid, 0);
        CHECK(scene.first().happened() == ""); // the other has not made it yet
        scene.deliver();
        CHECK(scene.other().happened() == "change; ");
        CHECK(scene.first().happened() == "0:7 0; ");
    }
    SECTION("by a rank of another machine, which makes that machine's")
    {
        scene.ask(1, parley_method_job_set_pid, 0);
        scene.deliver();
        CHECK(scene.first().happened() == "change; ");
        CHECK(scene.other().happened() == "1:7 0; ");
    }
}

TEST_CASE("a rank is told of a change that one of the machines cannot make")
{
    Scene scene(2);
    scene.begin();
    scene.happened();
    const unsigned rank = GENERATE(0u, 1u);
    Machine& refusing = rank == 0 ? scene.other() : scene.first();
    Machine& asking = rank == 0 ? scene.first() : scene.other();
    refusing.changes = std::unexpected(Error::pid_in_use);
    scene.ask(rank, parley_method_job_set_pid, 40);
    scene.deliver();
    CHECK(refusing.happened() == "change; ");
    CHECK(asking.happened() ==
          std::to_string(rank) + ":7 -" + std::to_string(static_cast<int>(Error::pid_in_use)) + "; ");
    CHECK(scene.first().places.roster().pid_of(rank) == 0);
}

TEST_CASE("a failure on another machine ends the job on all")
{
    Scene scene(2);
    SECTION("a rank is ended by a signal")
    {
        scene.begin();
        scene.happened();
        scene.end(1, SIGSEGV);
        CHECK(scene.sentence() == "The job failed: node 1 was ended by signal 11 (Segmentation fault).");
    }
    SECTION("a rank cannot be started")
    {
        scene.other().can_start = false;
        scene.begin();
        scene.happened();
        CHECK(scene.sentence() == "There is no room.");
        CHECK_FALSE(scene.other().places.roster().runs(1));
        scene.end(0, SIGKILL);
        CHECK(scene.first().happened() == "finish; ");
        return;
    }
    CHECK(scene.first().happened() == "end all; ");
    CHECK(scene.other().happened() == "end all; ");
    CHECK(scene.other().federation->is_ending());
}

TEST_CASE("a job that is interrupted before another machine hears of its start ends")
{
    Scene scene(2);
    for (const auto& machine : scene.machines)
        machine->federation->begin();
    scene.other().federation->end(JobEnd::interrupted, "Interrupted.");
    scene.deliver();
    CHECK(scene.other().happened() == "end all; end all; "); // nothing begins there any more
    CHECK(scene.first().happened() == "start 0 program; end all; ");
    scene.end(0, SIGKILL);
    CHECK(scene.first().happened() == "finish; ");
    CHECK(scene.other().happened() == "finish; ");
    CHECK(scene.sentence() == "Interrupted.");
}

TEST_CASE("of programs that cannot be started at the beginning none is left that runs for the roster alone")
{
    Scene scene(1);
    scene.first().can_start = false;
    scene.begin();
    CHECK(scene.first().happened() == "start 0 program; end all; finish; ");
    CHECK_FALSE(scene.first().places.roster().runs(0));
    CHECK_FALSE(scene.first().places.roster().runs(1));
    CHECK(scene.sentence() == "There is no room.");
}

TEST_CASE("at the limit all machines report first, in their order")
{
    Scene scene(2);
    scene.begin();
    scene.happened();
    scene.first().federation->end_with_reports(JobEnd::limit, "Too late.");
    CHECK_FALSE(scene.first().federation->is_ending());
    SECTION("all do")
    {
        scene.deliver();
        CHECK(scene.sentence() == "Too late.\nmachine 0 waits\nmachine 1 waits\n");
    }
    SECTION("one does not in time")
    {
        scene.network.clear();
        for (unsigned look = 1; look < FirstMachine::longest_wait; ++look) {
            scene.first().federation->look();
            CHECK_FALSE(scene.first().federation->is_ending());
        }
        scene.first().federation->look();
        CHECK(scene.sentence() == "Too late.\nmachine 0 waits\n");
    }
    SECTION("an interruption does not wait for reports")
    {
        scene.first().federation->end(JobEnd::interrupted, "Interrupted.");
        scene.deliver();
        CHECK(scene.sentence() == "Interrupted.");
    }
    CHECK(scene.first().federation->is_ending());
    CHECK(scene.first().happened() == "end all; ");
}

TEST_CASE("a job deadlocks when two looks at all machines find everybody waiting")
{
    const unsigned count = GENERATE(1u, 2u);
    Scene scene(count);
    scene.begin();
    for (const auto& machine : scene.machines)
        machine->state = {.all_wait = true, .somebody_waits = true, .epochs = 3, .sent = 4, .received = 4};
    scene.look();
    CHECK_FALSE(scene.first().federation->is_ending());
    SECTION("they do")
    {
        scene.look();
        CHECK(scene.sentence() == "The job deadlocked: every rank waits, so none can ever go on.\nmachine 0 "
                                  "waits\n" +
                                      std::string(count > 1 ? "machine 1 waits\n" : ""));
    }
    SECTION("one has gone on between")
    {
        scene.machines.back()->state.epochs = 5;
        scene.look();
        CHECK_FALSE(scene.first().federation->is_ending());
    }
}

TEST_CASE("a pending answer is no deadlock")
{
    Scene scene(2);
    scene.begin();
    for (const auto& machine : scene.machines)
        machine->state = {.all_wait = true, .somebody_waits = true, .epochs = 3, .sent = 4, .received = 4};
    scene.ask(0, parley_method_job_set_pid, 0);
    const OnTheWay change = scene.network.front();
    scene.network.clear(); // it takes long
    scene.look();
    scene.look();
    CHECK_FALSE(scene.first().federation->is_ending());
    scene.network.push_back(change);
    scene.deliver();
    scene.look();
    CHECK(scene.first().federation->is_ending());
}

TEST_CASE("a lost network ends the job on each machine for itself")
{
    Scene scene(2);
    scene.begin();
    scene.happened();
    for (const auto& machine : scene.machines)
        machine->federation->network_ended();
    CHECK(scene.first().happened() == "end all; ");
    CHECK(scene.other().happened() == "end all; ");
    CHECK(scene.first().places[1].process == 0);
    CHECK_FALSE(scene.first().places.roster().runs(1));
    CHECK(scene.sentence() == network_lost);
    Record others;
    scene.other().federation->complete(others);
    CHECK(others.sentence == network_lost);
    CHECK(others.exit_status() != 0);
}

TEST_CASE("machines of a watched job leave when what they have written down has come, or will not")
{
    Scene::is_watched = true;
    Scene scene(2);
    Scene::is_watched = false;
    scene.begin();
    scene.happened();
    scene.end(0, exited(0));
    SECTION("it comes")
    {
        scene.end(1, exited(0));
        CHECK(scene.other().happened() == "finish; ");
    }
    SECTION("it does not")
    {
        scene.other().places[1].process = 0;
        scene.other().federation->ended(scene.other().places[1], exited(0), {});
        const OnTheWay end = scene.network.front();
        scene.network.clear();
        scene.first().federation->receive(end.from, end.packet);
        CHECK(scene.first().happened() == "");
        scene.first().federation->look();
        CHECK(scene.first().happened() == "");
        scene.first().federation->look();
    }
    CHECK(scene.first().happened() == "finish; ");
}
