// SPDX-License-Identifier: MIT
// The end of a program, and what becomes of its own job's wish to end it: a kill meets one program, the one
// that runs, never the one before it in the same place or the one after it.
#pragma once

#include "jobs/roster.hpp"
#include "sched/pending_work.hpp"

namespace parley::kernel {

// As Roster::ended(). A kill of the program ends with the program, in the same step: a kill that comes later
// finds no program, or the next one. So does what one of its threads did to end it. Only a job that ends as a
// whole kills the place itself.
inline bool end_program(jobs::Roster& roster, unsigned endpoint, int status, sched::PendingWork& pending_work,
                        const Atomic<bool>& job_ends) REQUIRES(roster.lock())
{
    pending_work.set_killed(false);
    // Pairs with Job::end(), which says that the job ends and kills then: either that is seen here, or the
    // process is killed again.
    if (job_ends.load(std::memory_order_seq_cst))
        pending_work.set_killed(true);
    return roster.ended(endpoint, status);
}

} // namespace parley::kernel
