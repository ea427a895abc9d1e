// SPDX-License-Identifier: MIT
// Conditions that must hold, which checked builds (CHECKED=1) look at. A violation executes an invalid
// instruction there: in the kernel that is a panic, in a program a fault, each with its report.
#pragma once

namespace parley {

// `condition` is a function without arguments. Other builds do not call it, and so do not even load an
// atomic word.
template <class Condition>
[[gnu::always_inline]] constexpr void assert_that(const Condition& condition)
{
    if (!condition()) [[unlikely]]
        __builtin_trap();
}

} // namespace parley

#include "base/checked/links.hpp"
