// SPDX-License-Identifier: MIT
// A leaf for a test, as a composed system constructs it: with the standard of each of its arguments.
#pragma once

#include "messaging/design/leaf_arguments.hpp"

namespace parley::testing {

template <class Leaf, class... Others>
Leaf made(const Others&... others)
{
    if constexpr (messaging::HasArguments<Leaf>)
        return Leaf(others..., messaging::completed(messaging::arguments_of<Leaf>()));
    else
        return Leaf(others...);
}

} // namespace parley::testing
