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

// Which processes: -1 stands for all of the job's nodes, or all pids of a node.
struct Chosen {
    long nodes; // of the job
    long node;
    long pid;
};

// The programs of these places have been killed without a chance to close them; never the caller's. Whoever
// loads the next one closes them; until then it is only noted whether that one receives what waits there.
void reset(unsigned caller, const Chosen& chosen, messaging::Waiting messages);

} // namespace parley::library
