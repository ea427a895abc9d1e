// SPDX-License-Identifier: MIT
// When the ranks of a job run: from its start on, or in turns with other jobs (nxrun --gang); and never while
// a user has stopped nxrun.
// Invariant: once the job's programs have begun, ranks run exactly when it is the job's turn, if it takes
// any, and nxrun is not stopped.
#pragma once

#include "native/nxrun/federation.hpp"
#include "native/nxrun/job_control.hpp"
#include "native/nxrun/ranks.hpp"
#include "native/nxrun/turns.hpp"

#include <optional>
#include <vector>

namespace parley::native {

class RankSchedule {
public:
    RankSchedule(Ranks& ranks, Federation& federation, JobControl& control)
        : ranks_(ranks), federation_(federation), control_(control)
    {
    }

    // The job's programs begin now and take no turns.
    void begin();
    // The programs begin with the job's first turn on these processors. The descriptor can be read when
    // attend() has something to do. Throws BadRequest.
    int take_turns(const std::vector<int>& processors, unsigned slice_milliseconds);
    // A turn begins or is over.
    void attend();

    // The user stops nxrun, and the ranks with it. Returns when nxrun goes on.
    void pause();
    // Called five times a second.
    void look();

    // Programs are still to begin.
    bool has_ranks_to_come() const { return !begun_ && !federation_.is_ending(); }
    // All ranks have ended, and other jobs have the processors. Answers how many turns there were.
    unsigned long finish();

private:
    void run();

    Ranks& ranks_;
    Federation& federation_;
    JobControl& control_;
    std::optional<Turns> turns_; // none: it takes none
    bool begun_ = false;
};

} // namespace parley::native
