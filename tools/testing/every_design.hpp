// SPDX-License-Identifier: MIT
// Every combination of the factors' classes, taken from the list of leaves, so that a new leaf joins in by
// itself; those of the selected leaf, if one is selected.
#pragma once

#include "messaging/design.hpp"
#include "tools/testing/selection.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace parley::testing {

inline std::vector<std::string_view> classes_of(std::string_view factor)
{
    std::vector<std::string_view> classes;
    for (const messaging::LeafInfo& leaf : messaging::leaves())
        if (leaf.factor == factor)
            classes.push_back(leaf.name);
    if (std::ranges::find(classes, selected_leaf()) != classes.end())
        return {selected_leaf()};
    return classes;
}

inline std::vector<messaging::Design> every_design()
{
    std::vector<messaging::Design> designs{messaging::Design{}};
    const auto multiply = [&](std::string_view factor, std::string_view messaging::Design::* member) {
        std::vector<messaging::Design> more;
        for (const messaging::Design& design : designs)
            for (const std::string_view name : classes_of(factor)) {
                more.push_back(design);
                more.back().*member = name;
            }
        designs = more;
    };
    multiply("location", &messaging::Design::location);
    multiply("context-switch", &messaging::Design::context_switch);
    multiply("interaction", &messaging::Design::interaction);
    multiply("port", &messaging::Design::port);
    multiply("transport", &messaging::Design::transport);
    multiply("synchronization", &messaging::Design::synchronization);
    multiply("transfer", &messaging::Design::transfer);
    return designs;
}

// True of every design, unless a leaf is selected that it does not have.
inline bool is_selected(const messaging::Design& design)
{
    for (const std::string_view name :
         {design.location, design.context_switch, design.interaction, design.port, design.transport,
          design.synchronization, design.transfer})
        if (name == selected_leaf())
            return true;
    return selected_leaf().empty();
}

} // namespace parley::testing
