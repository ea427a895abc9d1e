// SPDX-License-Identifier: MIT
// Which leaves and designs a test tries: all, unless the environment says less. PARLEY_LEAF=name: that leaf
// alone, and designs that have it. PARLEY_SAMPLE=n: every n-th design.
#pragma once

#include "tools/testing/progress.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace parley::testing {

inline std::string_view selected_leaf()
{
    const char* const leaf = std::getenv("PARLEY_LEAF");
    return leaf == nullptr ? "" : leaf;
}

inline std::size_t sample_stride()
{
    const char* const stride = std::getenv("PARLEY_SAMPLE");
    const int number = stride == nullptr ? 1 : std::atoi(stride);
    return number > 1 ? static_cast<std::size_t>(number) : 1;
}

// Calls use.template operator()<Leaf>() for every leaf of a list (PortLeaves, ...), or for the selected one
// if the
// list has it. Each is named to the runner first.
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
