// SPDX-License-Identifier: MIT
// An event: parties wait on it until something has happened.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::sched {

// It counts signals. A waiter loads `sequence`, looks for what it wants, and waits only while `sequence` is
// unchanged, so that a signal between the look and the wait is never lost.
struct Event {
    Atomic<std::uint32_t> sequence{0};
    Atomic<std::uint32_t> sleepers{0}; // written by Synchronizations that sleep

    // Sequentially consistent, like the accesses in a wait that sleeps: either the one that increments
    // `sequence` and then loads this sees the sleeper, or the sleeper sees the new sequence.
    std::uint32_t sleeping() const { return sleepers.load(std::memory_order_seq_cst); }
};

} // namespace parley::sched
