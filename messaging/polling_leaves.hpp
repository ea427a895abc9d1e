// SPDX-License-Identifier: MIT
// Makes pollings of any kind. Included by the sources that know the list of leaves.
#pragma once

#include "messaging/assembly.hpp"

#include "messaging/leaves.hpp"

#include <algorithm>

namespace parley::messaging {

inline PollingKind any_polling()
{
    PollingKind kind;
    PollingLeaves::for_each([&]<class Leaf>() { kind.bytes = std::max(kind.bytes, sizeof(Leaf)); });
    kind.make = [](std::byte* room, const LeafChoice& choice) {
        Polling* made = nullptr;
        PollingLeaves::with(choice.name,
                            [&]<class Leaf>() { made = construct_leaf<Leaf>(room, choice.values); });
        return made;
    };
    return kind;
}

} // namespace parley::messaging
