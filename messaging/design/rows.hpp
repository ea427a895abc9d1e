// SPDX-License-Identifier: MIT
// The designs that static dispatch composes: the presets, and others that a port asks for, which names the
// preset that is to have it instead of its own port (`static constexpr std::string_view row_beside`).
#pragma once

#include "messaging/design/presets.hpp"

#include "messaging/leaves.hpp"

#include <array>
#include <iterator>

namespace parley::messaging {

template <class P>
concept AsksForRow = requires { P::row_beside; };

inline constexpr auto design_rows = [] {
    constexpr std::size_t presets = std::size(design_presets);
    constexpr std::size_t all = [] {
        std::size_t count = presets;
        PortLeaves::for_each([&]<class Leaf>() { count += AsksForRow<Leaf> ? 1 : 0; });
        return count;
    }();
    std::array<Preset, all> rows{};
    std::size_t made = 0;
    for (const Preset& preset : design_presets)
        rows[made++] = preset;
    PortLeaves::for_each([&]<class Leaf>() {
        if constexpr (AsksForRow<Leaf>) {
            std::size_t beside = 0; // a name that no preset has is no constant
            while (design_presets[beside].name != Leaf::row_beside)
                ++beside;
            rows[made] = {Leaf::name, design_presets[beside].design};
            rows[made++].design.port = Leaf::name;
        }
    });
    return rows;
}();

} // namespace parley::messaging
