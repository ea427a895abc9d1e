// SPDX-License-Identifier: MIT
// The arguments of policy processes. A job's semaphores and its synchronization take the same ones.
#pragma once

#include "base/leaf_argument.hpp"

namespace parley::sched {

inline constexpr LeafArgument policy_1_arguments[] = {
    {"epsilon", "how long a process waits before its pages are written", units::duration, 0,
     3'600'000'000'000, 300'000'000},
    {"processes", "policy processes that stop and start others", units::number, 1, 8, 2},
};

} // namespace parley::sched
