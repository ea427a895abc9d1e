// SPDX-License-Identifier: MIT
// What parties wait on until something has happened.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::sched {

// Counts signals. A waiter reads `sequence`, looks for what it wants, and waits only while `sequence` stays
// the same, so that a signal between look and wait is never lost.
struct Event {
    Atomic<std::uint32_t> sequence{0};
    Atomic<std::uint32_t> sleepers{0}; // written by Synchronizations that sleep

    // Sequentially consistent together with the wait of Synchronizations that sleep: either who moves the
    // sequence first and then looks here sees the sleeper, or the sleeper the new sequence.
    std::uint32_t sleeping() const { return sleepers.load(std::memory_order_seq_cst); }
};

} // namespace parley::sched
