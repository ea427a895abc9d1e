// SPDX-License-Identifier: MIT
// What parties wait on. Both are plain words in system memory that read as zero when new; what they mean is
// the business of the Synchronization that a design has chosen.
#pragma once

#include "messaging/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

// Counts signals. A waiter reads `sequence`, looks for what it wants, and waits only while `sequence` stays
// the same, so that a signal between look and wait is never lost.
struct Event {
    Atomic<std::uint32_t> sequence{0};
    Atomic<std::uint32_t> sleepers{0};

    // Sequentially consistent together with the wait of Synchronizations that sleep: either who moves the
    // sequence first and then looks here sees the sleeper, or the sleeper the new sequence.
    std::uint32_t sleeping() const { return sleepers.load(std::memory_order_seq_cst); }
};

// Mutual exclusion: 0 is free, 1 is held and nobody else wants it; what other values mean is the business of
// the Synchronization. One that does not mark waiters holds with any other value too.
struct Lock {
    Atomic<std::uint32_t> word{0};

    // As 1, by the process whose endpoint the lock is of: should it end there, the lock can be told free.
    static constexpr std::uint32_t by_owner = 3;

    // Acquire pairs with the release of whoever had it before.
    bool take_free(std::uint32_t holder = 1)
    {
        std::uint32_t expected = 0;
        return word.compare_exchange_strong(expected, holder, std::memory_order_acquire,
                                            std::memory_order_relaxed);
    }
    // For a Synchronization that does not mark waiters.
    void set_free() { word.store(0, std::memory_order_release); }
    // False when somebody else wants it.
    bool leave_unwanted()
    {
        std::uint32_t expected = 1;
        return word.compare_exchange_strong(expected, 0, std::memory_order_release,
                                            std::memory_order_relaxed);
    }
};

} // namespace parley::messaging
