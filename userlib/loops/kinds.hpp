// SPDX-License-Identifier: MIT
// The leaves of the loop runtime's three factors, by name: what each promises and takes, and how one is made.
#pragma once

#include "userlib/loops/barrier/barrier.hpp"
#include "userlib/loops/distribution/distribution.hpp"
#include "userlib/loops/wait/wait.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace parley::loops {

template <class Leaf, class Parts>
struct Kind {
    std::string_view name, promise;
    std::span<const LeafArgument> arguments;
    std::size_t bytes; // of an object, whose alignment is at most a cache line's
    Leaf* (*make)(void* place, const Parts& parts, const LeafValues& values);
};

// These have the class's functions, too. A loop or a team keeps them beside its other words, and so does not
// look for them in the class's table, which lies far from those, for each chunk or meeting.
struct DistributionKind : Kind<Distribution, DistributionParts> {
    bool (*next)(Distribution& leaf, unsigned number, Cursor& mine, Chunk& chunk);
    bool keeps_order; // as Distribution says
};
struct BarrierKind : Kind<Barrier, BarrierParts> {
    void (*meet)(Barrier& leaf, unsigned number, Meanwhile& meanwhile);
    void (*gather)(Barrier& leaf, unsigned number, Meanwhile& meanwhile);
};
using WaitKind = Kind<Wait, WaitParts>;

// All leaves of a factor, by name.
std::span<const DistributionKind> distributions();
std::span<const BarrierKind> barriers();
std::span<const WaitKind> waits();

} // namespace parley::loops
