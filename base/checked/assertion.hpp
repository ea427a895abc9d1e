// SPDX-License-Identifier: MIT
// Conditions that must hold, which checked builds (CHECKED=1) look at. A violation executes an invalid
// instruction there: in the kernel that is a panic, in a program a fault, each with its report.
#pragma once

#include <cstdint>

namespace parley {

// `condition` is a function without arguments. Other builds do not call it, and so do not even load an
// atomic word.
template <class Condition>
[[gnu::always_inline]] constexpr void assert_that(const Condition& condition)
{
    if (!condition()) [[unlikely]]
        __builtin_trap();
}

// The link of an element that is in no list. A list calls begin_link() for an element that it takes, and
// end_link() for one that it gives back.
template <class T>
T* unlinked()
{
    return reinterpret_cast<T*>(std::uintptr_t{1});
}
template <class T>
void begin_link(T*& next)
{
    assert_that([&] { return next == unlinked<T>(); });
    next = nullptr;
}
template <class T>
void end_link(T*& next)
{
    assert_that([&] { return next != unlinked<T>(); });
    next = unlinked<T>();
}

} // namespace parley
