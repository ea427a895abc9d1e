// SPDX-License-Identifier: MIT
// Where the pages of a job's waiting processes go: its dirty pages are found by their dirty bits, which are
// taken from them, and as many are brought back. The contents stay where they are; a disk takes time for
// them, where the job has one.
#pragma once

#include "base/arena.hpp"
#include "sched/semaphore/fixed_head_disks.hpp"
#include "sched/semaphore/surroundings.hpp"

#include <optional>

namespace parley::kernel {

struct JobParts;
class UserProcess;

class ProcessPages final : public sched::BackingStore {
public:
    // By policy processes of the job, one at a time for each process.
    unsigned write_back(unsigned endpoint) override;
    unsigned bring_back(unsigned endpoint) override;

private:
    friend Arena;
    // Of the processes of `parts`. `disk`: the arguments of FixedHeadDisks, or null.
    ProcessPages(const JobParts& parts, const LeafValues* disk) : parts_(parts)
    {
        if (disk != nullptr)
            disks_.emplace(*disk);
    }

    const JobParts& parts_;
    std::optional<sched::FixedHeadDisks> disks_;
};

} // namespace parley::kernel
