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
};

// Mutual exclusion. A Synchronization that needs one word uses `word` alone.
struct Lock {
    Atomic<std::uint32_t> word{0};
    Atomic<std::uint32_t> turn{0};
};

} // namespace parley::messaging
