// SPDX-License-Identifier: MIT
// Processors of two speeds on the simulated machine: who gets what becomes ready, and who takes over what
// runs.
#include "sched/fifo_queue.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/simulated_machine.hpp"
#include "sched/system_scheduler.hpp"
#include "studies/cmmp/measuring/stealing.hpp"
#include "testing/catch.hpp"

namespace parley::cmmp {

using namespace sched;

namespace {

SimulatedMachine two_fast_one_slow()
{
    return {3, SimulatedMachine::Burst([](const Process&) { return std::uint64_t{10}; })};
}

} // namespace

TEST_CASE("a process that becomes ready goes to a fast processor, and to a slow one where none is idle",
          "[sched]")
{
    SimulatedMachine machine = two_fast_one_slow();
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    machine.serve(system);
    machine.start();
    Process processes[3];
    for (unsigned i = 0; i < 3; ++i) {
        processes[i].queue = &system;
        system.add(processes[i]);
        Server* const chosen = system.idle_server_for(processes[i]);
        REQUIRE(chosen != nullptr);
        CHECK(chosen->index() == i);
        chosen->wake();
        machine.run_woken();
        CHECK(machine.running(i) == &processes[i]);
    }
}

TEST_CASE("only an idle fast processor takes over, and only from a slow one", "[sched]")
{
    SimulatedMachine machine = two_fast_one_slow();
    FifoQueue queue(machine.servers);
    const Stealing stealing(machine.servers, 2);
    machine.serve(queue);
    Process processes[3];
    for (Process& process : processes) {
        process.queue = &queue;
        queue.add(process);
    }
    machine.start();
    SimulatedProcessor& slow = machine.processor(2);
    REQUIRE(machine.running(2) == &processes[2]);
    CHECK(stealing.taker_for(slow, processes[2]) == nullptr); // the fast ones work
    machine.decide(machine.processor(1));                     // its process waits
    REQUIRE(machine.running(1) == nullptr);
    CHECK(stealing.taker_for(machine.processor(0), processes[0]) == nullptr);
    Server* const taker = stealing.taker_for(slow, processes[2]);
    REQUIRE(taker == &machine.processor(1));
    CHECK(stealing.taker_for(slow, processes[2]) == nullptr); // it is taken
    machine.move(slow, machine.processor(1));
    CHECK(machine.running(1) == &processes[2]);
    CHECK(machine.running(2) == nullptr);
    CHECK(slow.is_idle());
}

TEST_CASE("a member that belongs to its processor stays there", "[sched]")
{
    SimulatedMachine machine = two_fast_one_slow();
    SystemScheduler system(machine.servers, SimulatedMachine::clock);
    const Stealing stealing(machine.servers, 2);
    machine.serve(system);
    machine.start();
    PrivateGangScheduler queue;
    Process members[3];
    Gang gang(queue);
    for (Process& member : members) {
        member.kind = ProcessKind::uninterruptible;
        gang.add(member);
    }
    system.schedule(gang);
    machine.run_woken(); // they are collected
    machine.run_woken(); // the last one has woken the others
    Process* const on_slow = machine.running(2);
    REQUIRE(on_slow != nullptr);
    machine.decide(machine.processor(0)); // its member waits
    REQUIRE(machine.processor(0).is_idle());
    CHECK(stealing.taker_for(machine.processor(2), *on_slow) == nullptr);
    CHECK(machine.processor(0).is_idle());
}

} // namespace parley::cmmp
