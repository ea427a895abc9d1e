// SPDX-License-Identifier: MIT
// A job's semaphores in the kernel, of the kind that it was given.
#pragma once

#include "base/address.hpp"
#include "kernel/job/semaphore_kind.hpp"
#include "kernel/memory/shared_region.hpp"
#include "sched/semaphore/semaphore_table.hpp"

namespace parley::kernel {

class JobSemaphores {
public:
    // The words of semaphores that are kept in user space lie at the end of the region.
    void lie_in(SharedRegion& region) { region_ = &region; }

    // ---- the calls (interface/calls.def) ----

    Result<std::uint64_t> open(std::uint64_t number, std::uint64_t count);
    struct UserBinding {
        std::uint32_t delay;
        UserAddress word; // 0: the kernel keeps the count
    };
    Result<UserBinding> bind(long id) const;
    Result<void> p(unsigned process, long id) { return table_.p(process, id); }
    Result<void> v(long id) { return table_.v(id); }
    Result<void> v_all(std::span<const long> ids) { return table_.v_all(ids); }
    parley_semaphore_counts counts() const { return kind_.counts().now(); }

    // Whether the process waits in P, and no V has come for it.
    bool waits(unsigned process, sched::SemaphoreWaiter::WaitInP& wait) const
    {
        return table_.waits(process, wait);
    }

private:
    friend Arena;
    JobSemaphores(Window& window, unsigned job, unsigned programs, SemaphoreKind& kind)
        : kind_(kind), table_(window, job, programs, kind.counts())
    {
        table_.use(kind.semaphore());
    }
    std::size_t offset_of(unsigned number) const;

    SemaphoreKind& kind_;
    sched::SemaphoreTable table_;
    SharedRegion* region_ = nullptr;
};

} // namespace parley::kernel
