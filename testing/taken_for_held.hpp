// SPDX-License-Identifier: MIT
// A test does without a lock what needs the lock, or has it in a way that the analysis of locks does not
// follow.
#pragma once

#include "base/thread_safety.hpp"

namespace parley::testing {

// The analysis takes the lock for held from here on, until it is released. Takes no step.
template <class Lock>
void take_for_held(const Lock& lock) ASSERT_CAPABILITY(lock)
{
    (void)lock;
}

} // namespace parley::testing
