// SPDX-License-Identifier: MIT
// Entering the message system in the shared region. The first process of a job constructs it, the others wait
// for that.
#pragma once

#include "kernel/interface/start_info.h"
#include "userlib/library/region.hpp"

namespace parley::library {

// The caller's place, or null when the system cannot be set up.
parley_process* attach(const parley_start& start);

} // namespace parley::library
