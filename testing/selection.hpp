// SPDX-License-Identifier: MIT
// Which leaves and designs a test tries: all, unless the environment says less. PARLEY_LEAF=name: that leaf
// alone, and designs that have it. PARLEY_PRESET=name: of the presets, that one alone. PARLEY_SAMPLE=n: every
// n-th design. PARLEY_BRIEF: the smaller bounds of the longest explored plays.
#pragma once

#include "messaging/design/nearest_name.hpp"
#include "testing/progress.hpp"

#include "leaf_names.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

namespace parley::testing {

inline std::string_view selected_leaf()
{
    const char* const leaf = std::getenv("PARLEY_LEAF");
    return leaf == nullptr ? "" : leaf;
}

inline std::string_view selected_preset()
{
    const char* const preset = std::getenv("PARLEY_PRESET");
    return preset == nullptr ? "" : preset;
}

// "", or why no test of this program may run: with a name that no leaf has, all of them would be tried.
inline std::string refusal_of_leaf(std::string_view leaf)
{
    if (leaf.empty() || std::ranges::find(leaf_names, leaf) != std::end(leaf_names))
        return "";
    messaging::NearestName nearest(leaf);
    for (const std::string_view known : leaf_names)
        nearest.consider(known);
    return "PARLEY_LEAF: there is no class '" + std::string(leaf) + "'; did you mean '" +
           std::string(nearest.best()) + "'?";
}

// Checked before any test of a program that goes through leaves.
inline const bool leaf_is_known = [] {
    const std::string refusal = refusal_of_leaf(selected_leaf());
    if (refusal.empty())
        return true;
    std::fprintf(stderr, "%s\n", refusal.c_str());
    std::exit(2);
}();

inline std::size_t sample_stride()
{
    const char* const stride = std::getenv("PARLEY_SAMPLE");
    const int number = stride == nullptr ? 1 : std::atoi(stride);
    return number > 1 ? static_cast<std::size_t>(number) : 1;
}

// A bound that `make test` without ONLY takes smaller, to be done in minutes.
inline unsigned briefly(unsigned whole, unsigned brief)
{
    return std::getenv("PARLEY_BRIEF") == nullptr ? whole : brief;
}

// Calls use.template operator()<Leaf>() for every leaf of a list (PortLeaves, ...), or for the selected one
// if the list has it. Each is named to the runner first.
template <class Leaves, class Use>
void for_each_leaf(Use&& use)
{
    bool listed = false;
    Leaves::for_each([&]<class Leaf>() { listed = listed || Leaf::name == selected_leaf(); });
    Leaves::for_each([&]<class Leaf>() {
        if (listed && Leaf::name != selected_leaf())
            return;
        at(Leaf::name);
        use.template operator()<Leaf>();
    });
}

} // namespace parley::testing
