// SPDX-License-Identifier: MIT
// When something that serves one at a time is taken, and when it is free.
#pragma once

#include "tools/machine_model/time.hpp"

#include <cstddef>
#include <vector>

namespace parley::machine_model {

// A processor may ask for a time that lies before one which another has taken already, for each runs ahead by
// a block of instructions. So what is free before that stays free: a late request is not put at the end.
class Occupancy {
public:
    // The first time at or after `at` from which it is free for so long.
    Picoseconds first_free(Picoseconds at, Picoseconds span) const;
    // Takes it for that time, in which it is free.
    void take(Picoseconds start, Picoseconds span);

private:
    struct Taken {
        Picoseconds from;
        Picoseconds until;
    };
    // More than lie between what the processor ahead of all and the one behind all ask for. Older ones go.
    static constexpr std::size_t most = 1024;

    std::vector<Taken>::const_iterator first_after(Picoseconds at) const;

    std::vector<Taken> taken_; // in the order of time; no two touch
};

} // namespace parley::machine_model
