// SPDX-License-Identifier: MIT
// Where programs' pages lie on a machine whose clusters of processors have memories of their own: what a
// program maps in a cluster's window, in that cluster's; its first stack, in that of the cluster which has
// the processor of the process's number; all else, in the memory for all.
#pragma once

#include "interface/start_info.h"
#include "kernel/job/domain_slots.hpp"
#include "kernel/memory/page_placement.hpp"
#include "kernel/program/configuration.hpp"

namespace parley::kernel {

class ClusterPages final : public PagePlacement {
public:
    // Places the pages of one domain. `processors`: how many of the machine run jobs. `process`: the number
    // of the process to which the domain belongs, if it belongs to one alone.
    ClusterPages(const ClusterTable& clusters, unsigned processors, unsigned process)
        : clusters_(clusters), processors_(processors), process_(process)
    {
    }

    // Banks from 1 on are clusters' (FramePool::set_aside).
    unsigned bank_of(std::uintptr_t page) const override
    {
        if (page >= PARLEY_CLUSTER_BASE &&
            page < PARLEY_CLUSTER_BASE + clusters_.number * PARLEY_CLUSTER_BYTES)
            return 1 + static_cast<unsigned>((page - PARLEY_CLUSTER_BASE) / PARLEY_CLUSTER_BYTES);
        const unsigned slot =
            page < domain_slots_start
                ? 0
                : static_cast<unsigned>((page - domain_slots_start) / domain_slot_bytes) + 1;
        if (page < stack_low(slot).value || page >= stack_top(slot).value)
            return 0;
        const unsigned process = slot == 0 ? process_ : slot - 1;
        return 1 + process % processors_ / clusters_.processors % clusters_.number;
    }
    void note(bool) override { }

private:
    const ClusterTable& clusters_;
    const unsigned processors_, process_;
};

static_assert(PARLEY_CLUSTER_BASE + PARLEY_MAX_PROCESSORS * PARLEY_CLUSTER_BYTES <= domain_slots_start);

} // namespace parley::kernel
