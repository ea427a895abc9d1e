// SPDX-License-Identifier: MIT
// Stands in for base/checked/assertion.hpp in the explorer's tests. What a condition loads is no step, so
// conditions add no orders of steps.
#pragma once

#include "testing/explorer.hpp"

namespace parley {

template <class Condition>
void assert_that(const Condition& condition)
{
    const bool was_quiet = explorer::word::loads_are_no_steps;
    explorer::word::loads_are_no_steps = true;
    if (!condition()) [[unlikely]]
        __builtin_trap();
    explorer::word::loads_are_no_steps = was_quiet;
}

} // namespace parley

#include "base/checked/links.hpp"
