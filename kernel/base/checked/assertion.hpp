// SPDX-License-Identifier: MIT
// What must hold, looked at in checked builds (CHECKED=1). A violation ends whoever runs with an invalid
// instruction, at the place of the violation: in the kernel a panic, in a program a fault, each with its
// report.
#pragma once

namespace parley {

[[gnu::always_inline]] constexpr void assert_that(bool holds)
{
    if (!holds) [[unlikely]]
        __builtin_trap();
}

} // namespace parley
