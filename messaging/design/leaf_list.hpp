// SPDX-License-Identifier: MIT
// Lists of a factor's leaves as types, and finding one by its name, at compile time and at run time.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::messaging {

template <class... Leaves>
struct LeafList {
    static constexpr std::size_t size = sizeof...(Leaves);

    // Calls use.template operator()<Leaf>(), for the leaf of that name; false when there is none.
    template <class Use>
    static constexpr bool with(std::string_view name, Use&& use)
    {
        return ((Leaves::name == name ? (use.template operator()<Leaves>(), true) : false) || ...);
    }

    template <class Use>
    static constexpr void for_each(Use&& use)
    {
        (use.template operator()<Leaves>(), ...);
    }
};

} // namespace parley::messaging
