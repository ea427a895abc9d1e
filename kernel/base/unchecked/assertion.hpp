// SPDX-License-Identifier: MIT
// What must hold and costs nothing: checked builds (CHECKED=1) find kernel/base/checked/assertion.hpp first.
#pragma once

namespace parley {

constexpr void assert_that(bool) { }

} // namespace parley
