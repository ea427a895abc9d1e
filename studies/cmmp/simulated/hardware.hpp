// SPDX-License-Identifier: MIT
// What a simulated machine is made of, beside its programs. By default nothing of what slowed C.mmp down is
// in it: processors of one speed, no time slices, and memory in which nobody is in another's way.
#pragma once

#include "studies/cmmp/simulated/banks.hpp"

#include <cstdint>

namespace parley::simulated {

struct Hardware {
    unsigned fast = 1, slow = 0; // processors
    double slowdown = 1;         // how many times longer a slow one takes
    bool stealing = true;        // whether an idle fast one takes over what runs on a slow one

    // A process that has computed for a slice lets others go first; after so many it asks the scheduler for
    // as many again, which serves one request at a time. 0: no slices.
    Nanoseconds slice = 0;
    unsigned slices = 10;
    Nanoseconds request = 0;

    Banks banks{};
    unsigned words = Banks::none; // where the words lie that processes spin on
};

} // namespace parley::simulated
