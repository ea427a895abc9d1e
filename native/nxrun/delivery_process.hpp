// SPDX-License-Identifier: MIT
// What nxrun's children do that become delivery processes (interface/library.h).
#pragma once

#include "interface/library.h"
#include "native/interface/native_job.h"

namespace parley::native {

// From now on the calling process, which is about to run the library's code alone, can be told to end
// (native/interface/departure.h): it delivers what has come, and ends.
void listen_for_the_end(const parley_library& library, parley_native_place& place);

// Turns the calling process into a delivery process.
[[noreturn]] void enter_helper(void (*deliver)(), const parley_start& start);

} // namespace parley::native
