// SPDX-License-Identifier: MIT
// How much memory each of the jobs that run at the same time may hold. It is settled before the first of
// them begins, and the shares together are no more than there is: no job can take from another.
#pragma once

#include "kernel/program/configuration.hpp"

#include <cstddef>
#include <span>

namespace parley::kernel {

// The share of one job, in bytes.
struct Share {
    // A job that has less is refused: it could hold no program.
    static constexpr std::size_t least = std::size_t{4} << 20;

    std::size_t bytes = 0;
    std::size_t wanted_by_all = 0; // this job's wish, what others have got by theirs, the least of the rest
    std::size_t for_all = 0;       // what the jobs may hold together

    bool fits() const { return bytes >= least && wanted_by_all <= for_all; }
};

// The shares of jobs that run together on a machine with `memory` bytes, of which the kernel keeps a
// sixteenth: what a job asks for, in their order, as long as it is there; the others get equal parts of the
// rest. `into` has an element for each job.
void share_memory(std::span<const JobConfiguration> jobs, std::size_t memory, std::span<Share> into);

} // namespace parley::kernel
