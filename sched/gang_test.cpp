// SPDX-License-Identifier: MIT
// What users of gangs rely on, under each policy, on a simulated machine.
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"
#include "sched/simulated_machine.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <set>

namespace parley::sched {

namespace {

constexpr std::uint64_t slice = 10'000'000;

struct Members {
    Process processes[8];
};

void fill(Gang& gang, Members& members, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        members.processes[i].kind = ProcessKind::uninterruptible;
        gang.add(members.processes[i]);
    }
}

// Which members of the gang run now; none may run twice.
std::set<Process*> running_members(SimulatedMachine& machine, const Gang& gang)
{
    std::set<Process*> found;
    for (unsigned i = 0; i < machine.servers.count(); ++i) {
        Process* process = machine.running(i);
        if (process != nullptr && process->gang == &gang)
            REQUIRE(found.insert(process).second);
    }
    return found;
}

struct Shared {
    static SharedGangScheduler make(const ServerSet& servers) { return SharedGangScheduler(servers); }
};
struct Private {
    static PrivateGangScheduler make(const ServerSet&) { return PrivateGangScheduler(); }
};

} // namespace

TEMPLATE_TEST_CASE("a gang's members all run at the same time, one to a processor", "[sched]", Shared,
                   Private)
{
    SimulatedMachine machine(4, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    machine.start();
    auto queue = TestType::make(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 3);
    system.schedule(gang);
    machine.run_woken();
    machine.run_woken();
    CHECK(running_members(machine, gang).size() == 3);
    CHECK(gang.times.collected >= gang.times.begun);
}

TEMPLATE_TEST_CASE("no member runs before the last processor has been collected", "[sched]", Shared, Private)
{
    SimulatedMachine machine(2, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    machine.add_background(system);
    machine.start();
    auto queue = TestType::make(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 2);
    system.schedule(gang);
    machine.run_woken();
    CHECK(running_members(machine, gang).empty());
    machine.step(); // the background process gives way
    CHECK(running_members(machine, gang).size() == 2);
}

TEMPLATE_TEST_CASE("the last member to end gives the processors back to their old queue", "[sched]", Shared,
                   Private)
{
    SimulatedMachine machine(2, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    Process& background = machine.add_background(system);
    machine.start();
    auto queue = TestType::make(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 2);
    system.schedule(gang);
    machine.run_woken();
    machine.step();
    REQUIRE(running_members(machine, gang).size() == 2);
    machine.end(0, system);
    CHECK(machine.running(0) == nullptr); // its processor waits for the rest of the gang
    machine.end(1, system);
    CHECK((machine.running(0) == &background || machine.running(1) == &background));
}

TEST_CASE("gangs collect one at a time, oldest first, so none holds what another waits for", "[sched]")
{
    SimulatedMachine machine(4, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    for (int i = 0; i < 4; ++i)
        machine.add_background(system);
    machine.start();
    SharedGangScheduler first_queue(machine.servers);
    SharedGangScheduler second_queue(machine.servers);
    Members first_members;
    Members second_members;
    Gang first(first_queue);
    Gang second(second_queue);
    fill(first, first_members, 3);
    fill(second, second_members, 3);
    system.schedule(first);
    system.schedule(second);
    for (int i = 0; i < 3; ++i)
        machine.step();
    CHECK(running_members(machine, first).size() == 3);
    CHECK(running_members(machine, second).empty());
    for (unsigned i = 0; i < 4; ++i) {
        if (machine.running(i) != nullptr && machine.running(i)->gang == &first)
            machine.end(i, system);
    }
    for (int i = 0; i < 4; ++i)
        machine.step();
    CHECK(running_members(machine, second).size() == 3);
}

TEST_CASE("a gang that has not begun can be withdrawn, and its processors go back", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    Process& background = machine.add_background(system);
    machine.start();
    SharedGangScheduler queue(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 2);
    system.schedule(gang);
    machine.run_woken(); // one processor is collected
    CHECK(system.withdraw(gang));
    machine.run_woken();
    machine.step();
    CHECK((machine.running(0) == &background || machine.running(1) == &background));
    CHECK(running_members(machine, gang).empty());
}

TEST_CASE("a member that waits goes on at its own processor under the private policy", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    machine.start();
    PrivateGangScheduler queue;
    Members members;
    Gang gang(queue);
    fill(gang, members, 2);
    system.schedule(gang);
    machine.run_woken();
    machine.run_woken();
    Process& waiting = *machine.running(1);
    machine.decide(machine.processor(1)); // it blocks: its processor finds nothing else
    CHECK(machine.running(1) == nullptr);
    waiting.queue->add(waiting);
    Server* home = waiting.queue->idle_server_for(waiting);
    REQUIRE(home == &machine.processor(1));
    machine.decide(machine.processor(0));
    CHECK(machine.running(0) != &waiting);
    machine.decide(machine.processor(1));
    CHECK(machine.running(1) == &waiting);
}

TEST_CASE("a gang smaller than its members is sliced, so that each member has its turn", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    machine.start();
    SharedGangScheduler queue(machine.servers);
    constexpr unsigned count = 100; // more than a machine has processors
    Process members[count];
    Gang gang(queue);
    gang.want_at_most(2);
    for (Process& member : members)
        gang.add(member);
    system.schedule(gang);
    machine.run_woken();
    std::set<Process*> seen;
    for (unsigned step = 0; step < 2 * count; ++step) {
        seen.merge(running_members(machine, gang));
        machine.step(); // nobody ever waits
    }
    CHECK(seen.size() == count);
}

TEST_CASE("under slots all processors switch between gangs together, and every gang has its turn", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SlotScheduler slots(machine.servers, SimulatedMachine::clock);
    machine.serve(slots);
    machine.start();
    Members first_members;
    Members second_members;
    Gang first(slots);
    Gang second(slots);
    fill(first, first_members, 2);
    fill(second, second_members, 2);
    slots.schedule(first);
    slots.schedule(second);
    CHECK(slots.rows() == 2);
    std::size_t turns[2] = {};
    for (int slot = 0; slot < 6; ++slot) {
        for (unsigned i = 0; i < 2; ++i) {
            if (Process* process = machine.running(i))
                process->queue->add(*process);
            machine.decide(machine.processor(i));
        }
        const std::size_t of_first = running_members(machine, first).size();
        const std::size_t of_second = running_members(machine, second).size();
        CHECK((of_first == 2) != (of_second == 2));
        CHECK(of_first + of_second == 2);
        ++turns[of_first == 2 ? 0 : 1];
        slots.advance();
    }
    CHECK(turns[0] == 3);
    CHECK(turns[1] == 3);
}

TEST_CASE("under slots a timeshared load keeps a slot of its own", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SlotScheduler slots(machine.servers, SimulatedMachine::clock);
    machine.serve(slots);
    Process& background = machine.add_background(slots);
    Members members;
    Gang gang(slots);
    fill(gang, members, 2);
    slots.schedule(gang);
    machine.start();
    bool seen = false;
    for (int slot = 0; slot < 4; ++slot) {
        for (unsigned i = 0; i < 2; ++i) {
            if (Process* process = machine.running(i))
                process->queue->add(*process);
            machine.decide(machine.processor(i));
            seen = seen || machine.running(i) == &background;
        }
        slots.advance();
    }
    CHECK(seen);
}

TEMPLATE_TEST_CASE("a gang gets no member once it has been scheduled", "[sched]", SystemScheduler,
                   SlotScheduler)
{
    SimulatedMachine machine(2, [] { return slice; });
    TestType system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    SharedGangScheduler queue(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 1);
    system.schedule(gang);
    CHECK(parley::testing::tripped_by([&] { gang.add(members.processes[1]); }) ==
          "sched/gang.cpp: !link.linked() && processor_count == 0");
}

TEMPLATE_TEST_CASE("no more members end than a gang has", "[sched]", SystemScheduler, SlotScheduler)
{
    SimulatedMachine machine(2, [] { return slice; });
    TestType system(machine.servers, SimulatedMachine::clock);
    SharedGangScheduler queue(machine.servers);
    Members members;
    Gang gang(queue);
    fill(gang, members, 1);
    const char* const wanted = std::is_same_v<TestType, SystemScheduler>
                                   ? "sched/system_scheduler.cpp: living != 0"
                                   : "sched/slot_scheduler.cpp: living != 0";
    CHECK(parley::testing::tripped_by([&] {
              gang.living.store(0);
              system.member_ended(gang);
          }) == wanted);
}

TEST_CASE("under slots a member is ready once", "[sched]")
{
    SimulatedMachine machine(2, [] { return slice; });
    SlotScheduler slots(machine.servers, SimulatedMachine::clock);
    Members members;
    Gang gang(slots);
    fill(gang, members, 2);
    slots.schedule(gang);
    CHECK(parley::testing::tripped_by([&] { slots.add(members.processes[0]); }) ==
          "sched/slot_scheduler.cpp: cell->ready == nullptr");
}

TEST_CASE("there are no more servers than a set has room for", "[sched]")
{
    ServerSet servers;
    SimulatedProcessor processor(0);
    for (std::size_t i = 0; i < ServerSet::capacity; ++i)
        servers.add(processor);
    CHECK(parley::testing::tripped_by([&] { servers.add(processor); }) ==
          "sched/server_set.hpp: count_ < capacity");
}

} // namespace parley::sched
