// SPDX-License-Identifier: MIT
// Linux: a spinning thread gives its processor away, since there may be more threads than processors.
#pragma once

#include <sched.h>

namespace parley::arch {

inline void pause() { sched_yield(); }

} // namespace parley::arch
