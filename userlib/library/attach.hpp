// SPDX-License-Identifier: MIT
// Entering the message system in the shared region. The first process of a job constructs it, the others wait
// for that.
#pragma once

#include "interface/start_info.h"
#include "userlib/library/region.hpp"

namespace parley::library {

// The caller's place, or null when the system cannot be set up.
parley_process* attach(const parley_start& start);

// Another program will begin in the place of one that has ended, perhaps without a chance to close it:
// messages to the new one are kept from now on. Called by who loads it. Errors: those of
// MessageSystem::set_pid; nothing has changed then.
Result<void> reopen(unsigned endpoint, std::int32_t pid);

// The caller must end, and is not in the message system: closes its endpoint.
void leave(unsigned endpoint, messaging::Waiting messages);

// Which processes: -1 stands for all of the job's nodes, or all pids of a node.
struct ProcessSelection {
    long nodes; // of the job
    long node;
    long pid;
};

// The programs of these places have been killed; never the caller's. Of one that could not close its place,
// for want of a stack, it is only noted whether the next one receives what waits there: whoever loads that
// closes it.
void reset(unsigned caller, const ProcessSelection& chosen, messaging::Waiting messages);

} // namespace parley::library
