// SPDX-License-Identifier: MIT
// Stands in for base/checked/assertion.hpp in the explorer's tests. What a condition loads is no step before
// which another party may go on.
#pragma once

#include "testing/explorer.hpp"

namespace parley {

template <class Condition>
void assert_that(const Condition& condition)
{
    const explorer::word::Peeking peeking;
    if (!condition()) [[unlikely]]
        __builtin_trap();
}

} // namespace parley

#include "base/checked/links.hpp"
