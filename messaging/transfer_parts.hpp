// SPDX-License-Identifier: MIT
// What a Transfer may build on. L is the abstract Location, or in a build with static dispatch the chosen
// one.
#pragma once

#include "messaging/location.hpp"
#include "messaging/memory/blocks.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/protocol.hpp"

namespace parley::messaging {

template <class L = Location>
struct TransferParts {
    L& location;
    BuddyHeap& buffers; // system buffers, against the job's budget
    Blocks& blocks;     // the shared region's blocks
    Exchange& exchange; // for those whose messages have a protocol
};

} // namespace parley::messaging
