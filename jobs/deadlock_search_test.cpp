// SPDX-License-Identifier: MIT
#include "jobs/deadlock_search.hpp"
#include "testing/catch.hpp"

using namespace parley::jobs;

namespace {

constexpr MachineState waiting{
    .all_wait = true, .somebody_waits = true, .epochs = 7, .sent = 4, .received = 4};

struct TwoMachines {
    std::array<DeadlockSearch::MachineAnswers, 2> entries{};
    DeadlockSearch waves{entries};
};

// A wave that two machines answer so; what its last answer has said.
bool wave(DeadlockSearch& waves, const MachineState& first, const MachineState& second)
{
    const std::int64_t number = waves.begin();
    CHECK_FALSE(waves.add(0, DeadlockSearch::answer(number, first)));
    CHECK(waves.is_under_way());
    const bool stuck = waves.add(1, DeadlockSearch::answer(number, second));
    CHECK_FALSE(waves.is_under_way());
    return stuck;
}

} // namespace

TEST_CASE("a deadlock over machines is seen at the second of two equal waves, not at the first")
{
    TwoMachines machines;
    DeadlockSearch& waves = machines.waves;
    CHECK_FALSE(wave(waves, waiting, waiting));
    CHECK(wave(waves, waiting, waiting));
}

TEST_CASE(
    "two equal waves are no deadlock where a rank runs, a frame is on its way or nobody waits for others")
{
    TwoMachines machines;
    DeadlockSearch& waves = machines.waves;
    MachineState other = waiting;
    SECTION("a rank runs") { other.all_wait = false; }
    SECTION("a frame is on its way") { other.sent = 5; }
    for (int again = 0; again < 3; ++again)
        CHECK_FALSE(wave(waves, waiting, other));
    // What one machine has sent and the other received is on no way.
    other = waiting;
    other.sent = 5;
    MachineState receiver = waiting;
    receiver.received = 5;
    CHECK_FALSE(wave(waves, other, receiver));
    CHECK(wave(waves, other, receiver));
    MachineState at_end = waiting;
    at_end.somebody_waits = false;
    CHECK_FALSE(wave(waves, at_end, at_end));
    CHECK_FALSE(wave(waves, at_end, at_end));
}

TEST_CASE("a rank that goes on between two waves, or a frame sent and received, is no deadlock")
{
    TwoMachines machines;
    DeadlockSearch& waves = machines.waves;
    MachineState later = waiting;
    CHECK_FALSE(wave(waves, waiting, waiting));
    SECTION("it has gone on and waits again") { later.epochs = 8; }
    SECTION("a frame was sent and received") { ++later.sent, ++later.received; }
    CHECK_FALSE(wave(waves, waiting, later));
    CHECK(wave(waves, waiting, later));
}

TEST_CASE("what all machines have begun to gather goes on, and what some have not never does")
{
    TwoMachines machines;
    DeadlockSearch& waves = machines.waves;
    MachineState first = waiting, second = waiting;
    first.begun = second.begun = 3;
    const auto are_stuck = [&] {
        (void)wave(waves, first, second);
        return wave(waves, first, second);
    };
    CHECK(are_stuck());
    first.begun = 4;
    first.gathers = true;
    CHECK(are_stuck());
    second.gathers = true; // the one before
    CHECK_FALSE(are_stuck());
    second.begun = 4;
    CHECK_FALSE(are_stuck());
    first.gathers = false;
    CHECK_FALSE(are_stuck());
    second.gathers = false;
    CHECK(are_stuck());
}

TEST_CASE("answers to an older wave, second ones and those of no machine count for nothing")
{
    TwoMachines machines;
    DeadlockSearch& waves = machines.waves;
    const std::int64_t first = waves.begin();
    for (const unsigned machine : {0u, 1u})
        CHECK_FALSE(waves.add(machine, DeadlockSearch::answer(first, waiting)));
    const std::int64_t second = waves.begin();
    CHECK_FALSE(waves.add(0, DeadlockSearch::answer(second, waiting)));
    CHECK_FALSE(waves.add(0, DeadlockSearch::answer(second, waiting)));
    CHECK_FALSE(waves.add(1, DeadlockSearch::answer(first, waiting)));
    CHECK_FALSE(waves.add(2, DeadlockSearch::answer(second, waiting)));
    CHECK(waves.is_under_way());
    CHECK(waves.add(1, DeadlockSearch::answer(second, waiting)));
}
