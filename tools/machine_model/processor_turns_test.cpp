// SPDX-License-Identifier: MIT
// Threads as an emulator's, one a processor, by turns.
#include "tools/machine_model/processor_turns.hpp"

#include "testing/catch.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

using namespace parley::machine_model;

namespace {

constexpr unsigned processors = 3;

// As the plugin looks whether a processor is to stop.
struct Machine {
    ProcessorOrder order{processors, 0};
    RunningClock running;
    std::uint64_t switches = 0;
    ProcessorTurns turns{order, running, switches};
    std::atomic<unsigned> inside{0};
    bool one_at_a_time = true;

    void run_block(unsigned processor)
    {
        one_at_a_time = one_at_a_time && inside.fetch_add(1) == 0;
        running.now += 10;
        inside.fetch_sub(1);
        if (running.stops(processor))
            turns.pass_on(processor);
    }
    template <class Work>
    void run(const Work& work)
    {
        std::vector<std::thread> threads;
        for (unsigned processor = 0; processor < processors; ++processor)
            threads.emplace_back([&, processor] {
                turns.wait(processor);
                work(processor);
            });
        turns.begin(processors - 1, 0);
        for (std::thread& thread : threads)
            thread.join();
    }
};

} // namespace

TEST_CASE("processors with threads of their own run by turns, in the order of their clocks")
{
    Machine machine;
    std::vector<std::pair<Picoseconds, unsigned>> begun;
    machine.run([&](unsigned processor) {
        for (unsigned block = 0; block < 100; ++block) {
            begun.emplace_back(machine.running.now, processor);
            machine.run_block(processor);
        }
        machine.turns.halt(processor);
    });
    CHECK(machine.one_at_a_time);
    CHECK(machine.switches >= 300);
    REQUIRE(begun.size() == 300);
    for (unsigned i = 0; i < begun.size(); ++i)
        CHECK(begun[i] == std::pair<Picoseconds, unsigned>{i / 3 * 10, i % 3});
}

// Each leaves its HLT in its own thread, while others run, pass on or halt. Whoever were forgotten would wait
// for ever.
TEST_CASE("a processor that comes back while others pass on or halt gets its turn")
{
    Machine machine;
    unsigned ended = 0;
    machine.run([&](unsigned processor) {
        for (unsigned round = 0; round < 2000; ++round) {
            if (round % 3 == processor)
                machine.run_block(processor);
            machine.turns.halt(processor);
            // By and by, so that it meets the others at each of their steps.
            for (unsigned step = 0; step < round % 50; ++step)
                std::atomic_signal_fence(std::memory_order_seq_cst);
            machine.turns.come_back(processor);
        }
        ++ended;
        machine.turns.halt(processor);
    });
    CHECK(machine.one_at_a_time);
    CHECK(ended == processors);
}

TEST_CASE("who runs on and on gives its turn to one that comes back")
{
    Machine machine;
    std::atomic<bool> comes{false}, has_run{false};
    machine.run([&](unsigned processor) {
        if (processor == 1) {
            machine.turns.halt(1);
            while (!comes) { }
            machine.turns.come_back(1);
            has_run = true;
        }
        if (processor == 0) {
            machine.run_block(0); // 1 and 2 halt meanwhile
            comes = true;
            while (!has_run)
                machine.run_block(0);
        }
        machine.turns.halt(processor);
    });
    CHECK(machine.order.clock(1) == machine.order.clock(0));
}

TEST_CASE("who has come back while the limit was set aside is not forgotten with it")
{
    Machine machine;
    std::atomic<bool> comes{false};
    machine.run([&](unsigned processor) {
        if (processor == 1) {
            machine.turns.halt(1);
            while (!comes) { }
            machine.turns.come_back(1);
        }
        if (processor == 0) {
            machine.run_block(0); // 2 runs to its end, and 1 halts meanwhile
            machine.running.now += 100;
            const Picoseconds limit = machine.turns.stop_soon();
            CHECK(limit == never);
            machine.running.limit = 1; // so that it is seen when it comes
            comes = true;
            while (machine.running.limit != 0) { }
            machine.turns.go_on_until(limit);
            CHECK(machine.running.limit == 0);
            machine.run_block(0);
        }
        machine.turns.halt(processor);
    });
    CHECK(machine.order.clock(1) == 120);
}
