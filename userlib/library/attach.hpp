// SPDX-License-Identifier: MIT
// Entering the message system in the shared region. The first process of a job constructs it, the others wait
// for that.
#pragma once

#include "kernel/interface/start_info.h"
#include "userlib/library/region.hpp"

namespace parley::library {

// The caller's place, or null when the system cannot be set up.
parley_process* attach(const parley_start& start);

// Another program will begin in the place of one that has ended, perhaps killed without a chance to close it:
// messages to the new one are kept from now on. Called by who loads it. Errors: those of
// MessageSystem::set_pid.
Result<void> reopen(unsigned endpoint, std::int32_t pid);

} // namespace parley::library
