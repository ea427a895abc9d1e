// SPDX-License-Identifier: MIT
// What must hold, looked at in checked builds (CHECKED=1). A violation ends whoever runs with an invalid
// instruction, at the place of the violation: in the kernel a panic, in a program a fault, each with its
// report.
#pragma once

#include <cstdint>

namespace parley {

// `condition` is a function without arguments: in other builds nothing of it is done, no load of an atomic
// word either.
template <class Condition>
[[gnu::always_inline]] constexpr void assert_that(const Condition& condition)
{
    if (!condition()) [[unlikely]]
        __builtin_trap();
}

// The link of an element that is in no list; a list says with the other two what it takes and what it gives.
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
