// SPDX-License-Identifier: MIT
// The machine's disks, for the pages of all its jobs.
#pragma once

#include "kernel/hooks.hpp"
#include "studies/cmmp/measuring/fixed_head_disks.hpp"

namespace parley::cmmp {

class Disks final : public kernel::DiskHook {
public:
    Disks(std::uint64_t rotation, unsigned disks) : disks_(rotation, disks) { }

    std::uint64_t written_at(unsigned process, unsigned pages, std::uint64_t now) override
    {
        return disks_.written_at(process, pages, now);
    }
    std::uint64_t read_at(unsigned process, unsigned pages, std::uint64_t now) override
    {
        return disks_.read_at(process, pages, now);
    }

private:
    FixedHeadDisks disks_;
};

} // namespace parley::cmmp
