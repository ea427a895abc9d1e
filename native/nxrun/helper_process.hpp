// SPDX-License-Identifier: MIT
// What nxrun's children do that become helpers of the job: delivery processes (interface/library.h) and
// policy processes (native/interface/job_semaphores.h).
#pragma once

#include "interface/library.h"
#include "native/interface/native_job.h"

namespace parley::native {

// From now on the calling process, which is about to run the library's code alone, can be told to end
// (native/interface/departure.h): it delivers what has come, or leaves its request, and ends.
void listen_for_the_end(const parley_library& library, parley_native_place& place);

// The first instruction of the helper that starts so: of a policy process, which has no endpoint, or of a
// delivery process.
void (*first_instruction(const parley_library& library, const parley_start& start))();

// Turns the calling process into that helper.
[[noreturn]] void enter_helper(void (*first)(), const parley_start& start);

} // namespace parley::native
