// SPDX-License-Identifier: MIT
// Reductions that tasks take part in, as entries of loops, sections and tasks begin them.
#pragma once

#include "userlib/loops/member.hpp"
#include "userlib/loops/reduction_blocks.hpp"

namespace parley::loops {

// In the group that the calling thread is in.
void begin_own_reductions(Member& self, ReductionBlock& block);
// In a group of its own for each thread of a loop that it has come to, with the same copies for all;
// GOMP_workshare_task_reduction_unregister() ends it.
void begin_loops_reductions(Member& self, ReductionBlock& block);

} // namespace parley::loops
