// SPDX-License-Identifier: MIT
// A leaf for a test, as a composed system constructs it: with the standard of each of its arguments, or with
// those that it states as its smallest, so that its limits are near.
#pragma once

#include "messaging/design/leaf_arguments.hpp"

#include <string_view>
#include <type_traits>

namespace parley::testing {

template <class Leaf, class... Others>
Leaf made(const Others&... others)
{
    using namespace messaging;
    if constexpr (!std::is_constructible_v<Leaf, Others...> &&
                  !std::is_constructible_v<Leaf, Others..., LeafValues> && sizeof...(Others) != 0)
        return made<Leaf>(); // it does not need to know what it is made from
    else if constexpr (requires { Leaf::smallest; })
        return Leaf(others..., Leaf::smallest);
    else if constexpr (HasArguments<Leaf>)
        return Leaf(others..., completed(arguments_of<Leaf>()));
    else
        return Leaf(others...);
}

// Its name, as users write it; "" of a leaf that only a test has.
template <class Leaf>
constexpr std::string_view name_of = [] {
    if constexpr (requires { Leaf::name; })
        return std::string_view(Leaf::name);
    else
        return std::string_view();
}();

} // namespace parley::testing
