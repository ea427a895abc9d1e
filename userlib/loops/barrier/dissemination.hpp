// SPDX-License-Identifier: MIT
// In round r each thread tells the one 2^r further on, and waits to be told: after log2(n) rounds each has
// heard of all (Hensgen, Finkel and Manber, 1988). Nobody writes a word that two others wait for.
#pragma once

#include "userlib/loops/barrier/barrier.hpp"

#include <string_view>

namespace parley::loops {

class DisseminationBarrier final : public Barrier {
public:
    static constexpr std::string_view name = "dissemination";
    static constexpr std::string_view promise =
        "threads tell each other in rounds, each in a word of its own, and nobody is first";

    explicit DisseminationBarrier(const BarrierParts& parts)
        : wait_(parts.wait), threads_(parts.threads), lines_(parts.lines)
    {
        for (Line& line : lines_)
            line.make<Place>();
    }

    // The thread that tells may be one meeting ahead of the one that has not looked yet, so a signal may have
    // moved twice since.
    void meet(unsigned number, Meanwhile& meanwhile) override
    {
        Place& mine = lines_[number].as<Place>();
        const std::uint32_t before = mine.met;
        mine.met += Signal::step;
        for (unsigned round = 0, distance = 1; distance < threads_; ++round, distance *= 2) {
            const unsigned next = number + distance;
            lines_[next < threads_ ? next : next - threads_].as<Place>().told[round].move_on();
            wait_.until_moved(mine.told[round], before, meanwhile);
        }
    }
    void gather(unsigned number, Meanwhile& meanwhile) override { meet(number, meanwhile); }

private:
    static constexpr unsigned most_rounds = 10;
    static_assert(1u << most_rounds >= most_threads);

    struct Place {
        Signal told[most_rounds];
        std::uint32_t met = 0; // the thread's own
    };

    Wait& wait_;
    unsigned threads_;
    std::span<Line> lines_;
};

} // namespace parley::loops
