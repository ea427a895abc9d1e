// SPDX-License-Identifier: MIT
// The clock of the processor that runs.
#pragma once

#include "tools/machine_model/time.hpp"

namespace parley::machine_model {

// What translated code adds to and compares with, so it stands by itself. The clock of the processor that
// runs, and where it stops for others.
struct RunningClock {
    Picoseconds now = 0;
    Picoseconds limit = 0;
    unsigned processor = 0;
};

} // namespace parley::machine_model
