// SPDX-License-Identifier: MIT
// The system's semaphores on the simulated machine, where every time can be worked out.
#include "studies/cmmp/simulated/job.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace parley;
using namespace parley::simulated;

namespace {

constexpr Nanoseconds gap = 100'000;
constexpr const char* kinds[] = {"spin",        "queue",          "kernel",   "policy-0",
                                 "policy-1:0s", "policy-1:300ms", "combining"};

Question question(std::string_view kind, unsigned processes = 2)
{
    Question made;
    REQUIRE(messaging::parse_semaphore(kind, made.semaphore).empty());
    made.processes = processes;
    made.costs = {.p = 3,
                  .v = 7,
                  .v_each = 4,
                  .wake_each = 6,
                  .wake = 50,
                  .policy_wake = 40,
                  .communication = 30,
                  .scheduling = 200,
                  .search = 70,
                  .rotation = 1'000,
                  .turn = 5,
                  .find = 11,
                  .find_each = 2,
                  .message = {}};
    made.mean = 1e6;
    return made;
}

} // namespace

TEST_CASE("programs of one processor run one after the other, and of two at the same time")
{
    for (const unsigned processors : {1u, 2u}) {
        SimulatedPrograms machine(processors);
        Nanoseconds ended[2] = {};
        for (Nanoseconds& end : ended)
            machine.add(10, [&] {
                machine.compute(100);
                end = SimulatedPrograms::now();
            });
        CHECK(machine.run());
        CHECK(ended[0] == 110);
        CHECK(ended[1] == (processors == 1 ? 220 : 110));
        CHECK(machine.busy(1) == 100);
    }
}

TEST_CASE("a program that nobody wakes is told, and one that sleeps goes on in time")
{
    SimulatedPrograms machine(1);
    const int nobodys = 0;
    Nanoseconds woken = 0;
    machine.add(0, [&] { machine.sleep(&nobodys); });
    machine.add(0, [&] {
        machine.sleep_until(500);
        woken = SimulatedPrograms::now();
    });
    CHECK(!machine.run());
    CHECK(woken == 500);
}

TEST_CASE("who spins looks at whole numbers of its turns, and keeps its processor")
{
    SimulatedPrograms machine(2);
    bool given = false;
    Nanoseconds seen = 0;
    machine.add(0, [&] {
        while (!given)
            machine.spin(30);
        seen = SimulatedPrograms::now();
    });
    machine.add(0, [&] {
        machine.compute(70);
        machine.changed(); // of something else
        machine.compute(70);
        given = true;
        machine.changed();
    });
    CHECK(machine.run());
    CHECK(seen == 150);
}

TEST_CASE("a slow processor takes longer, works when no fast one is idle, and loses its process to one")
{
    for (const bool stealing : {true, false}) {
        INFO("stealing " << stealing);
        SimulatedPrograms machine(Hardware{.fast = 1, .slow = 1, .slowdown = 1.5, .stealing = stealing});
        Nanoseconds ended[2] = {};
        for (unsigned program : {0u, 1u})
            machine.add(10, [&, program] {
                machine.compute(program == 0 ? 200 : 400);
                ended[program] = SimulatedPrograms::now();
            });
        CHECK(machine.run());
        CHECK(ended[0] == 210);
        // The slow one has done 200 / 1.5 = 133 of 400 by then; dispatched again it does the rest.
        CHECK(ended[1] == (stealing ? 210 + 10 + 267 : 10 + 600));
        CHECK(machine.counts().steals == (stealing ? 1 : 0));
    }
}

TEST_CASE("who spins keeps the fast processor, so nobody takes the slow one's process over")
{
    SimulatedPrograms machine(Hardware{.fast = 1, .slow = 1, .slowdown = 2});
    bool given = false;
    machine.add(0, [&] {
        while (!given)
            machine.spin(10);
    });
    machine.add(0, [&] {
        machine.compute(100);
        given = true;
        machine.changed();
    });
    CHECK(machine.run());
    CHECK(SimulatedPrograms::now() == 210);
    CHECK(machine.counts().steals == 0);
}

TEST_CASE("time slices share a processor, and allotments end in requests that are served one by one")
{
    for (const unsigned processors : {1u, 2u}) {
        INFO(processors << " processors");
        SimulatedPrograms machine(Hardware{.fast = processors, .slice = 100, .slices = 2, .request = 1000});
        Nanoseconds ended[2] = {};
        for (Nanoseconds& end : ended)
            machine.add(0, [&] {
                machine.compute(250);
                end = SimulatedPrograms::now();
            });
        CHECK(machine.run());
        CHECK(machine.counts().requests == 2);
        // Both ask after 200 of their own time; on one processor they take turns until then.
        const Nanoseconds first = processors == 1 ? 300 : 200;
        CHECK(ended[0] == first + 1000 + 50);
        CHECK(ended[1] == first + 2000 + 50);
    }
}

TEST_CASE("a slice ends for who spins, too")
{
    SimulatedPrograms machine(Hardware{.fast = 2, .slice = 100, .slices = 1, .request = 1000});
    bool given = false;
    Nanoseconds seen = 0;
    machine.add(0, [&] {
        while (!given)
            machine.spin(30);
        seen = SimulatedPrograms::now();
    });
    machine.add(0, [&] {
        machine.compute(90);
        machine.sleep_until(150);
        given = true;
        machine.changed();
    });
    CHECK(machine.run());
    CHECK(seen == 1100); // it looks when it has a processor again
    CHECK(machine.counts().requests == 1);
}

TEST_CASE("a service routine lengthens only what runs on the device's owner")
{
    for (const unsigned asker : {0u, 1u}) {
        INFO("asked from processor " << asker);
        SimulatedPrograms machine(2);
        SimulatedDevice device(machine, 0, 7);
        Nanoseconds ended[2] = {};
        for (Nanoseconds& end : ended)
            machine.add(0, [&] {
                machine.compute(100);
                end = SimulatedPrograms::now();
            });
        machine.at(60, [&] { device.request(asker, 25); });
        machine.at(99, [&] { device.request(asker, 5); });
        CHECK(machine.run());
        CHECK(ended[0] == 130);
        CHECK(ended[1] == 100);
        CHECK(machine.counts().interrupts == 2);
    }
}

TEST_CASE("a time-line has what each processor did in its window")
{
    SimulatedPrograms machine(2);
    SimulatedDevice device(machine, 0, 7);
    machine.watch(20, 90);
    machine.add(10, [&] {
        machine.compute(30);
        machine.sleep_until(60);
        machine.compute(100);
    });
    machine.at(70, [&] { device.request(0, 5); });
    CHECK(machine.run());
    const auto has = [&](Doing doing, Nanoseconds from, Nanoseconds to) {
        const std::vector<Span>& spans = machine.timeline().spans();
        return std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
            return span.processor == 0 && span.doing == doing && span.from == from && span.to == to;
        });
    };
    CHECK(has(Doing::compute, 20, 40));
    CHECK(has(Doing::dispatch, 60, 75));
    CHECK(has(Doing::interrupt, 70, 75));
    CHECK(has(Doing::compute, 75, 90));
    CHECK(machine.timeline().spans().size() == 4);
}

TEST_CASE(
    "an interprocessor interrupt takes its time, and a processor that is interrupted begins nothing else")
{
    SimulatedPrograms machine(2);
    SimulatedDevice device(machine, 0, 7);
    Nanoseconds ended = 0;
    machine.add(10, [&] {
        machine.sleep_until(50);
        ended = SimulatedPrograms::now();
    });
    machine.at(40, [&] { device.request(1, 100); });
    CHECK(machine.run());
    CHECK(ended == 40 + 7 + 100);
}

TEST_CASE("work on one bank takes as long as the model says while others refer to it")
{
    const Banks banks({600, 900}, 1000);
    CHECK(banks.pace(Banks::none, 5) == 1);
    CHECK(banks.pace(0, 1) == 1);
    CHECK(std::abs(banks.pace(1, 1) - 1900.0 / 1600) < 1e-9);
    // Two: who comes finds the other there 600 / 1600 of the time.
    const double both = (1000 + 600 * (1 + 0.375)) / 1600;
    CHECK(std::abs(banks.pace(0, 2) - both) < 1e-9);
    CHECK(std::abs(banks.pace(0, 1.5) - (1 + both) / 2) < 1e-9);
    // Many: the bank is always busy.
    CHECK(std::abs(banks.pace(0, 64) * 1600 / (64 * 600) - 1) < 0.01);

    const auto ends = [&](unsigned other) {
        SimulatedPrograms machine(Hardware{.fast = 2, .banks = banks});
        Nanoseconds ended = 0;
        machine.add(0, [&] { machine.compute(10'000, SimulatedPrograms::Memory::bank); }, other);
        machine.add(
            0,
            [&] {
                machine.compute(20'000, SimulatedPrograms::Memory::bank);
                ended = SimulatedPrograms::now();
            },
            0);
        REQUIRE(machine.run());
        return ended;
    };
    CHECK(ends(1) == 20'000);
    CHECK(ends(0) == static_cast<Nanoseconds>(10'000 * both + 10'000 + 0.5));
}

TEST_CASE("the model's throughput is near that of references simulated one by one")
{
    const Banks banks({585}, 870);
    for (const unsigned processors : {1u, 2u, 3u, 5u, 9u}) {
        INFO(processors << " processors");
        double sum = 0;
        const auto times = banks.reference_times(0, processors, 20'000, 1);
        for (const Nanoseconds time : times)
            sum += static_cast<double>(time);
        const double found = (870 + sum / static_cast<double>(times.size())) / (870 + 585);
        CHECK(std::abs(banks.pace(0, processors) / found - 1) < 0.15);
    }
}

TEST_CASE("who spins disturbs work on the bank of the words, by its share of references")
{
    const Banks banks({600, 600, 600}, 1000);
    const auto ends = [&](double share) {
        SimulatedPrograms machine(Hardware{.fast = 2, .banks = banks, .words = 0});
        bool given = false;
        machine.add(
            0,
            [&] {
                while (!given)
                    machine.spin(30, share);
            },
            1);
        machine.add(
            0,
            [&] {
                machine.compute(10'000, SimulatedPrograms::Memory::bank);
                given = true;
                machine.changed();
            },
            0);
        REQUIRE(machine.run());
        return SimulatedPrograms::now();
    };
    CHECK(ends(0) < ends(0.1));
    CHECK(ends(0.1) < ends(0.5));
}

TEST_CASE("a wake-up takes what its kind's way takes")
{
    const Primitives kernel = measure(question("kernel"), gap);
    CHECK(kernel.v == 7);
    CHECK(kernel.wake == 50);
    CHECK(kernel.service == 0);
    CHECK(kernel.stop == 0);
    const Primitives early = measure(question("policy-1:300ms"), gap);
    CHECK(early.wake == 50);
    CHECK(early.service == 0);
    const Primitives late = measure(question("policy-1:10us"), gap);
    CHECK(late.wake == 40 + 200 + 1'000 + 50);
    CHECK(late.service == 1'200);
    CHECK(late.stop == 200 + 70 + 2 * 1'000);
    const Primitives at_once = measure(question("policy-1:0s"), gap);
    CHECK(at_once.wake == late.wake);
    const Primitives first = measure(question("policy-0"), gap);
    CHECK(first.wake == 30 + late.wake);
    CHECK(first.service == 30 + 1'200);
    CHECK(first.stop == 30 + late.stop);
    CHECK(measure(question("spin"), gap).wake <= 5);
}

TEST_CASE("a stage of constant lengths takes FIND, all Vs and a wake-up more")
{
    const StageMeans answer = find_roots(question("kernel", 5));
    REQUIRE(answer.ended);
    CHECK(answer.stages == 50 * 21);
    CHECK(answer.elapsed == 50 * 21 * (1'000'000 + 11 + 5 * 2 + 4 * 7 + 50));
    REQUIRE(answer.woken_after.size() == 4);
    for (unsigned place = 0; place < 4; ++place)
        CHECK(answer.woken_after[place] == (place + 1) * 7 + 50);
}

TEST_CASE("one call wakes all, one after the other or by a tree")
{
    Question asked = question("kernel", 8);
    asked.together = true;
    const StageMeans serial = find_roots(asked);
    REQUIRE(serial.ended);
    CHECK(serial.wrong == 0);
    for (unsigned place = 0; place < 7; ++place)
        CHECK(serial.woken_after[place] == 7 + place * 4 + 50);
    Question tree_asked = question("combining", 8);
    tree_asked.together = true;
    const StageMeans tree = find_roots(tree_asked);
    REQUIRE(tree.ended);
    CHECK(tree.wrong == 0);
    // The caller claims all, wakes two and goes on; each of these wakes two before its own P is over.
    const unsigned first = 7 + 6 * 4 + 50;
    CHECK(tree.woken_after.front() == first + 2 * 6);
    // The last follows the first's first follower.
    CHECK(tree.woken_after.back() == first + 6 + 50 + 6 + 50);
}

TEST_CASE("wake-ups queue for the policy processes, so twice as many are twice as fast")
{
    const auto between = [](std::string_view kind) {
        Question asked = question(kind, 9);
        asked.costs.rotation = asked.costs.search = 0; // else stopping processes is in the way
        const StageMeans answer = find_roots(asked);
        REQUIRE(answer.ended);
        return (answer.woken_after[7] - answer.woken_after[1]) / 6;
    };
    // Each of two takes 30 to hand one on and 200 to start it.
    CHECK(std::abs(between("policy-0") / 115 - 1) < 0.02);
    CHECK(between("policy-1:0s:1") == 200);
    CHECK(between("policy-1:0s:2") == 100);
    CHECK(between("policy-1:300ms:2") == 7);
}

TEST_CASE("the same roots are found under every kind by any number of processes")
{
    for (const char* const kind : kinds)
        for (const unsigned processes : {1u, 2u, 5u, 12u})
            for (const length_kind lengths : {length_authentic, length_exponential}) {
                INFO(kind << ", " << processes << " processes, " << length_name(lengths));
                Question asked = question(kind, processes);
                asked.lengths = {lengths, lengths == length_authentic ? 1 : 20'000, 25, 7};
                asked.roots = 10;
                const StageMeans answer = find_roots(asked);
                CHECK(answer.ended);
                CHECK(answer.wrong == 0);
                CHECK(answer.counts.waits == answer.counts.wakes);
                // A run repeats to the last digit.
                CHECK(find_roots(asked).elapsed == answer.elapsed);
            }
}

TEST_CASE("a stage that messages carry takes all sends, two wake-ups and the last post more")
{
    Question asked = question("kernel", 5);
    asked.by_messages = true;
    asked.costs.message = {.send = 7, .receive = 3, .turn = 0, .synchronous = false};
    const StageMeans answer = find_roots(asked);
    REQUIRE(answer.ended);
    CHECK(answer.wrong == 0);
    CHECK(answer.stages == 50 * 21);
    // The last process is told after four sends, and runs; it posts; by then process 1 waits for its post
    // alone, or has still to receive the posts before, which come seven apart and take a wake-up each.
    const Nanoseconds told = 4 * 7 + 50 + 3, post = 7, find = 11 + 5 * 2;
    CHECK(answer.elapsed >= 50 * 21 * (1'000'000 + told + post + 3 + find));
    CHECK(answer.elapsed <= 50 * 21 * (1'000'000 + told + post + 50 + 4 * 3 + find));
}

TEST_CASE("messages carry the same stages to the same roots, whoever waits in whichever way")
{
    for (const Nanoseconds turn : {0u, 5u})
        for (const bool synchronous : {false, true})
            for (const unsigned processes : {1u, 2u, 5u, 12u}) {
                INFO(processes << " processes, turn " << turn << ", synchronous " << synchronous);
                Question asked = question("kernel", processes);
                asked.by_messages = true;
                asked.roots = 10;
                asked.costs.message = {.send = 70, .receive = 30, .turn = turn, .synchronous = synchronous};
                asked.lengths = {length_authentic, 1, 25, 7};
                const StageMeans answer = find_roots(asked);
                CHECK(answer.ended);
                CHECK(answer.wrong == 0);
                CHECK(answer.counts.calls == 0);
            }
}

TEST_CASE("authentic lengths have the mean and the deviation that are asked for")
{
    Question asked = question("kernel", 1);
    asked.lengths = {length_authentic, 1, 25, 0};
    const StageMeans answer = find_roots(asked);
    CHECK(std::abs(answer.evaluation / 1e6 - 1) < 1e-3);
    CHECK(std::abs(answer.deviation / 0.25e6 - 1) < 1e-3);
}
