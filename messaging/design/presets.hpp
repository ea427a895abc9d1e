// SPDX-License-Identifier: MIT
// The named designs: the six published experiments, NX/2's own protocol (2.3), the step beyond experiment 2
// that the paper proposes (5.1.8), and what suits processors to which a cache line costs more than all the
// instructions of a message.
#pragma once

#include "messaging/design/design.hpp"

namespace parley::messaging {

inline constexpr Preset design_presets[] = {
    {"exp1", {"kernel", "heavy", "synchronous", "circular", "buffered", "spinlock", "single-copy", false}},
    {"exp2", {"kernel", "heavy", "asynchronous", "circular", "buffered", "spinlock", "pointer", false}},
    {"exp3", {"kernel", "heavy", "asynchronous", "circular", "process", "semaphore", "double-copy", true}},
    {"exp4", {"kernel", "heavy", "asynchronous", "circular", "buffered", "semaphore", "double-copy", true}},
    {"exp5", {"user", "light", "synchronous", "circular", "buffered", "spinlock", "single-copy", false}},
    {"exp6", {"kernel", "heavy", "asynchronous", "circular", "buffered", "spinlock", "double-copy", false}},
    {"nx2", {"kernel", "heavy", "asynchronous", "circular", "buffered", "spinlock", "nx2", false}},
    {"exp2-user", {"user", "heavy", "asynchronous", "circular", "buffered", "spinlock", "pointer", false}},
    {"native", {"user", "heavy", "asynchronous", "carrying", "buffered", "spinlock", "double-copy", false}},
    {"native-pointer",
     {"user", "heavy", "asynchronous", "carrying", "buffered", "spinlock", "pointer", false}},
};

} // namespace parley::messaging
