// SPDX-License-Identifier: MIT
// Reads the clock of every machine of a job beside the first one's. The first machine's helper asks another's
// again and again what its clock says; the answer was given somewhere between question and answer, so half of
// the shortest round trip is all that its middle can be wrong by, however long the way there and back are.
#pragma once

#include "native/network/adapter.h"
#include "native/network/clock_reading.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace parley::native {

class ClockRounds {
public:
    ClockRounds(const parley_network_adapter& wire, unsigned machine, unsigned machines)
        : wire_(wire), here_(machine), machines_(machines)
    {
    }

    // Called by the helpers of all machines, each of which waits here for the others, at the beginning and at
    // the end. Frames of other kinds that were sent before are lost. The first machine's helper writes down a
    // reading of each other machine that has answered, by its number.
    void read(std::span<ClockReadings> readings, ClockReading ClockReadings::* which);

private:
    static constexpr unsigned rounds = 256;
    static constexpr std::chrono::milliseconds longest{100}; // for the rounds with one machine
    static constexpr std::chrono::seconds timeout{5};        // with a machine that does not answer

    // No frame of the link is as short.
    struct Round {
        std::uint64_t clock; // of who answers
        std::uint64_t is_last;
    };

    // Waits until all machines have come here.
    void meet();
    ClockReading read(unsigned machine);
    void answer();
    void send(unsigned machine, const Round& round);
    std::optional<Round> receive(unsigned from);

    const parley_network_adapter& wire_;
    const unsigned here_, machines_;
};

} // namespace parley::native
