// SPDX-License-Identifier: MIT
// What must hold and costs nothing: checked builds (CHECKED=1) find base/checked/assertion.hpp first.
#pragma once

namespace parley {

template <class Condition>
constexpr void assert_that(const Condition&)
{
}

template <class T>
T* unlinked()
{
    return nullptr;
}
template <class T>
void begin_link(T*&)
{
}
template <class T>
void end_link(T*&)
{
}

} // namespace parley
