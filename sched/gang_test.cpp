// SPDX-License-Identifier: MIT
// What users of gangs rely on, under each policy, on a simulated machine.
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"
#include "sched/simulated_machine.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <deque>
#include <set>

namespace parley::sched {

namespace {

constexpr std::uint64_t slice = 10'000'000;

// A machine whose processors serve the queue of a scheduler.
template <class Scheduler>
struct Served : SimulatedMachine {
    Scheduler system{servers, clock};

    explicit Served(unsigned processors) : SimulatedMachine(processors, [] { return slice; })
    {
        serve(system);
    }
};
using Machine = Served<SystemScheduler>;

// A gang with its members.
struct SmallGang {
    Process members[8];
    Gang gang;

    template <class Queue>
    SmallGang(Queue& queue, unsigned count) : gang(queue)
    {
        for (unsigned i = 0; i < count; ++i) {
            members[i].kind = ProcessKind::uninterruptible;
            gang.add(members[i]);
        }
    }
};

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

struct SharedGangs {
    static SharedGangScheduler make(const ServerSet& servers) { return SharedGangScheduler(servers); }
};
struct PrivateGangs {
    static PrivateGangScheduler make(const ServerSet&) { return PrivateGangScheduler(); }
};

} // namespace

TEMPLATE_TEST_CASE("a gang's members all run at the same time, one to a processor", "[sched]", SharedGangs,
                   PrivateGangs)
{
    Machine machine(4);
    machine.start();
    auto queue = TestType::make(machine.servers);
    SmallGang small(queue, 3);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
    machine.run_woken();
    machine.run_woken();
    CHECK(running_members(machine, gang).size() == 3);
    CHECK(gang.times.collected >= gang.times.begun);
}

TEMPLATE_TEST_CASE("no member runs before the last processor has been collected", "[sched]", SharedGangs,
                   PrivateGangs)
{
    Machine machine(2);
    machine.add_background(machine.system);
    machine.start();
    auto queue = TestType::make(machine.servers);
    SmallGang small(queue, 2);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
    machine.run_woken();
    CHECK(running_members(machine, gang).empty());
    machine.step(); // the background process gives way
    CHECK(running_members(machine, gang).size() == 2);
}

TEMPLATE_TEST_CASE("the last member to end gives the processors back to their old queue", "[sched]",
                   SharedGangs, PrivateGangs)
{
    Machine machine(2);
    Process& background = machine.add_background(machine.system);
    machine.start();
    auto queue = TestType::make(machine.servers);
    SmallGang small(queue, 2);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
    machine.run_woken();
    machine.step();
    REQUIRE(running_members(machine, gang).size() == 2);
    machine.end(0, machine.system);
    CHECK(machine.running(0) == nullptr); // its processor waits for the rest of the gang
    machine.end(1, machine.system);
    CHECK((machine.running(0) == &background || machine.running(1) == &background));
}

TEST_CASE("gangs collect one at a time, oldest first, so none holds what another waits for", "[sched]")
{
    Machine machine(4);
    for (int i = 0; i < 4; ++i)
        machine.add_background(machine.system);
    machine.start();
    SharedGangScheduler first_queue(machine.servers);
    SharedGangScheduler second_queue(machine.servers);
    SmallGang small(first_queue, 3), other(second_queue, 3);
    Gang& first = small.gang;
    Gang& second = other.gang;
    machine.system.schedule(first);
    machine.system.schedule(second);
    for (int i = 0; i < 3; ++i)
        machine.step();
    CHECK(running_members(machine, first).size() == 3);
    CHECK(running_members(machine, second).empty());
    for (unsigned i = 0; i < 4; ++i) {
        if (machine.running(i) != nullptr && machine.running(i)->gang == &first)
            machine.end(i, machine.system);
    }
    for (int i = 0; i < 4; ++i)
        machine.step();
    CHECK(running_members(machine, second).size() == 3);
}

TEST_CASE("a gang that has not begun can be withdrawn, and its processors go back", "[sched]")
{
    Machine machine(2);
    Process& background = machine.add_background(machine.system);
    machine.start();
    SharedGangScheduler queue(machine.servers);
    SmallGang small(queue, 2);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
    machine.run_woken(); // one processor is collected
    CHECK(machine.system.withdraw(gang));
    machine.run_woken();
    machine.step();
    CHECK((machine.running(0) == &background || machine.running(1) == &background));
    CHECK(running_members(machine, gang).empty());
}

TEST_CASE("a member that waits goes on at its own processor under the private policy", "[sched]")
{
    Machine machine(2);
    machine.start();
    PrivateGangScheduler queue;
    SmallGang small(queue, 2);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
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

TEST_CASE("under the private policy members are on the processors of their numbers, if there are as many",
          "[sched]")
{
    Machine machine(4);
    PrivateGangScheduler queue;
    SmallGang small(queue, 4);
    machine.start();
    machine.system.schedule(small.gang);
    for (const unsigned number : {2u, 0u, 3u, 1u}) // as they come
        machine.decide(machine.processor(number));
    machine.run_woken();
    for (unsigned i = 0; i < 4; ++i)
        CHECK(machine.running(i) == &small.members[i]);
}

TEST_CASE("a gang smaller than its members is sliced, so that each member has its turn", "[sched]")
{
    Machine machine(2);
    machine.start();
    SharedGangScheduler queue(machine.servers);
    constexpr unsigned count = 100; // more than a machine has processors
    Process members[count];
    Gang gang(queue);
    gang.want_at_most(2);
    for (Process& member : members)
        gang.add(member);
    machine.system.schedule(gang);
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
    Served<SlotScheduler> machine(2);
    SlotScheduler& slots = machine.system;
    machine.start();
    SmallGang small(slots, 2), other(slots, 2);
    Gang& first = small.gang;
    Gang& second = other.gang;
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
    Served<SlotScheduler> machine(2);
    SlotScheduler& slots = machine.system;
    Process& background = machine.add_background(slots);
    SmallGang small(slots, 2);
    Gang& gang = small.gang;
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

TEST_CASE("under slots gangs for which there is no row get one in the order in which they came", "[sched]")
{
    constexpr unsigned waiting = 4;
    Served<SlotScheduler> machine(2);
    SlotScheduler& slots = machine.system;
    std::deque<SmallGang> gangs;
    for (unsigned i = 0; i < SlotScheduler::max_rows + waiting; ++i)
        slots.schedule(gangs.emplace_back(slots, 2).gang);
    for (unsigned ended = 0; ended < waiting; ++ended) {
        const auto has_row = [&](unsigned at) { return gangs[at].gang.processor_count != 0; };
        CHECK_FALSE(has_row(SlotScheduler::max_rows + ended));
        for (unsigned member = 0; member < 2; ++member)
            slots.member_ended(gangs[ended].gang);
        for (unsigned i = 0; i < waiting; ++i)
            CHECK(has_row(SlotScheduler::max_rows + i) == (i <= ended));
    }
}

TEST_CASE(
    "under slots no gang passes an older one, and it has a row once that one has its own or is withdrawn",
    "[sched]")
{
    const bool withdrawn = GENERATE(false, true);
    Served<SlotScheduler> machine(2);
    SlotScheduler& slots = machine.system;
    std::deque<SmallGang> gangs;
    for (unsigned i = 1; i < SlotScheduler::max_rows; ++i)
        slots.schedule(gangs.emplace_back(slots, 2).gang);
    SmallGang half(slots, 1), older(slots, 2), later(slots, 1);
    slots.schedule(half.gang);
    slots.schedule(older.gang);
    slots.schedule(later.gang); // for which there would be room beside `half`
    CHECK(later.gang.processor_count == 0);
    if (withdrawn)
        CHECK(slots.withdraw(older.gang));
    else
        for (unsigned member = 0; member < 2; ++member)
            slots.member_ended(gangs.front().gang);
    CHECK(older.gang.processor_count == (withdrawn ? 0 : 2));
    CHECK(later.gang.processor_count == 1);
}

TEMPLATE_TEST_CASE("a gang gets no member once it has been scheduled", "[sched]", SystemScheduler,
                   SlotScheduler)
{
    Served<TestType> machine(2);
    SharedGangScheduler queue(machine.servers);
    SmallGang small(queue, 1);
    Gang& gang = small.gang;
    machine.system.schedule(gang);
    CHECK(parley::testing::tripped_by([&] { gang.add(small.members[1]); }) ==
          "sched/gang.cpp: !link.linked() && processor_count == 0");
}

TEMPLATE_TEST_CASE("a gang has the times at which it was scheduled, began and ended", "[sched]",
                   SystemScheduler, SlotScheduler)
{
    Served<TestType> machine(2);
    machine.start();
    SharedGangScheduler shared(machine.servers);
    SmallGang small = [&] {
        if constexpr (std::is_same_v<TestType, SlotScheduler>)
            return SmallGang(machine.system, 2);
        else
            return SmallGang(shared, 2);
    }();
    Gang& gang = small.gang;
    const std::uint64_t before = SimulatedMachine::now;
    SimulatedMachine::now = before + 1;
    machine.system.schedule(gang);
    machine.run_woken();
    machine.run_woken();
    SimulatedMachine::now = before + 2;
    machine.system.member_ended(gang);
    SimulatedMachine::now = before + 3;
    machine.system.member_ended(gang);
    CHECK(gang.times.scheduled == before + 1);
    CHECK(gang.times.begun == before + 1);
    CHECK(gang.times.ended == before + 3);
}

TEMPLATE_TEST_CASE("no more members end than a gang has", "[sched]", SystemScheduler, SlotScheduler)
{
    SimulatedMachine machine(2, [] { return slice; });
    TestType system(machine.servers, SimulatedMachine::clock);
    SharedGangScheduler queue(machine.servers);
    SmallGang small(queue, 1);
    Gang& gang = small.gang;
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
    SmallGang small(slots, 2);
    Gang& gang = small.gang;
    slots.schedule(gang);
    CHECK(parley::testing::tripped_by([&] { slots.add(small.members[0]); }) ==
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
