// SPDX-License-Identifier: MIT
// Links that tell in checked builds whether their element is in a list. A list calls begin_link() for an
// element that it takes, and end_link() for one that it gives back.
#pragma once

#include <cstdint>

namespace parley {

// The link of an element that is in no list.
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
