// SPDX-License-Identifier: MIT
#include "native/network/clock_rounds.hpp"

#include <cstddef>
#include <cstring>
#include <sched.h>
#include <vector>
#include <x86intrin.h>

namespace parley::native {

namespace {

using Steady = std::chrono::steady_clock;

constexpr unsigned eager_looks = 2000; // before whoever looks gives its processor away between looks

} // namespace

void ClockRounds::read(std::span<ClockReadings> readings, ClockReading ClockReadings::* which)
{
    // A round must not reach a machine that is still busy with something else, nor anything else one that is
    // busy with rounds, which would lose it.
    meet();
    if (here_ != 0)
        answer();
    for (unsigned machine = 1; here_ == 0 && machine < machines_; ++machine)
        readings[machine].*which = read(machine);
    meet();
}

void ClockRounds::meet()
{
    const std::uint64_t own = here_;
    std::vector<std::uint64_t> all(machines_);
    wire_.gather(&own, all.data(), sizeof own);
}

ClockReading ClockRounds::read(unsigned machine)
{
    ClockReading best{};
    const auto began = Steady::now();
    for (unsigned round = 1; round <= rounds; ++round) {
        const bool is_last = round == rounds || Steady::now() - began > longest;
        const std::uint64_t asked = __rdtsc();
        send(machine, {0, is_last ? 1U : 0U});
        const std::optional<Round> answer = receive(machine);
        const std::uint64_t answered = __rdtsc();
        if (!answer)
            return best;
        const std::uint64_t half = (answered - asked) / 2;
        if (!best.is_taken() || half + 1 < best.doubt)
            best = {asked + half, answer->clock, half + 1}; // 1: half a cycle was cut off, and 0 means none
        if (is_last)
            break;
    }
    return best;
}

void ClockRounds::answer()
{
    while (const std::optional<Round> asked = receive(0)) {
        send(0, {__rdtsc(), 0});
        if (asked->is_last != 0)
            break;
    }
}

void ClockRounds::send(unsigned machine, const Round& round)
{
    void* const transfer = wire_.send(machine, parley_channel_frames, &round, sizeof round);
    while (wire_.done(transfer) == 0)
        sched_yield();
}

// None: that machine has sent none for too long. If it still does, others must not be taken for it.
std::optional<ClockRounds::Round> ClockRounds::receive(unsigned from)
{
    const auto end = Steady::now() + timeout * machines_; // others have their turns before
    for (unsigned looks = 0;; ++looks) {
        unsigned machine = 0;
        const long bytes = wire_.look(&machine);
        if (bytes < 0) {
            if (looks < eager_looks)
                asm volatile("pause");
            else if (sched_yield(); Steady::now() > end)
                return {};
            continue;
        }
        std::vector<std::byte> frame(static_cast<std::size_t>(bytes));
        wire_.take(machine, frame.data(), frame.size());
        Round round;
        if (machine != from || frame.size() != sizeof round)
            continue;
        std::memcpy(&round, frame.data(), sizeof round);
        return round;
    }
}

} // namespace parley::native
