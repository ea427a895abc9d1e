// SPDX-License-Identifier: MIT
// How long a gang takes to collect its processors from a loaded machine: the scheduler's own sources under a
// simulated clock, beside what the paper expects (section 5.3): Collect(TS, N, p) = TS (p-1) / (2 (N-1)).
#include "sched/gang_policy/shared.hpp"
#include "sched/simulated_machine.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"

#include <cmath>
#include <cstdio>
#include <random>

namespace parley::sched {

namespace {

constexpr std::uint64_t slice = 10'000'000;
constexpr unsigned processors = 16;
constexpr int trials = 3000;

// Mean time in nanoseconds from a gang's first processor to its last.
double mean_collection(unsigned members, std::mt19937_64& random, const SimulatedMachine::Draw& burst)
{
    double sum = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SimulatedMachine machine(processors, burst);
        SystemScheduler system(machine.servers, SimulatedMachine::clock);
        machine.serve(system);
        for (unsigned i = 0; i < 2 * processors; ++i)
            machine.add_background(system);
        machine.start();
        // Into the steady state, and to no particular moment of it.
        const std::uint64_t begin = 5 * slice + random() % slice;
        while (SimulatedMachine::now < begin)
            machine.step();
        SharedGangScheduler queue(machine.servers);
        Process member[processors];
        Gang gang(queue);
        for (unsigned i = 0; i < members; ++i) {
            member[i].kind = ProcessKind::uninterruptible;
            gang.add(member[i]);
        }
        system.schedule(gang);
        while (gang.times.collected == 0)
            machine.step();
        sum += static_cast<double>(gang.times.collected - gang.times.begun);
    }
    return sum / trials;
}

} // namespace

TEST_CASE("collection takes what Collect(TS, N, p) expects when processes give way at random", "[sched]")
{
    std::mt19937_64 random(1992);
    const auto uniform = [&] { return random() % slice + 1; };
    const auto whole = [&, next = 0u]() mutable {
        return next++ < processors ? random() % slice + 1 : slice;
    };
    std::printf("collecting p of %u processors, ms (mean of %d)\n  p  random bursts  Collect(TS,N,p)  whole "
                "slices  TS(p-1)/(N+1)\n",
                processors, trials);
    for (unsigned members = 2; members <= processors; ++members) {
        const double expected = slice * (members - 1.0) / (2.0 * (processors - 1));
        const double whole_expected = slice * (members - 1.0) / (processors + 1.0);
        const double measured = mean_collection(members, random, uniform);
        auto fresh = whole;
        const double measured_whole = mean_collection(members, random, fresh);
        std::printf("%3u  %13.3f  %15.3f  %12.3f  %13.3f\n", members, measured / 1e6, expected / 1e6,
                    measured_whole / 1e6, whole_expected / 1e6);
        if (members <= 8)
            CHECK(std::abs(measured - expected) <= 0.10 * expected);
    }
}

} // namespace parley::sched
